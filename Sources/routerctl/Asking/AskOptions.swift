import ArgumentParser
import Router
import RouterCommandLine

struct AskOptions: PlainArguments {
  @OptionGroup var content: ContentOptions
  @OptionGroup var prompt: PromptOptions

  @Option(help: "What to do if the surface already has open prompts.")
  var policy = PresentationOptions.ConflictPolicy.enqueue

  @Flag(help: "Require an answer: the person cannot dismiss the prompt.")
  var noDismiss = false

  @Flag(help: "Do not log the answer or show it to others.")
  var sensitive = false

  @Option(help: ArgumentHelp("Stack this prompt on another of your open prompts.", valueName: "id"))
  var over: IDArgument?

  @Flag(help: "Do not wait: print the id, for 'routerctl wait'.")
  var detach = false

  @Flag(name: .shortAndLong, help: "Do not print on standard error what the prompt is waiting for.")
  var quiet = false

  @Option(help: ArgumentHelp("Idempotency key: ask at most once per key.", valueName: "key"))
  var idempotencyKey: String?

  @OptionGroup var output: OutputOptions
  @OptionGroup var daemon: DaemonOptions

  mutating func read(_ line: inout PlainOptions) {
    (content, prompt, output, daemon) = (line.group(), line.group(), line.group(), line.group())
    policy = line.value("--policy") ?? .enqueue
    (noDismiss, sensitive) = (line.flag("--no-dismiss"), line.flag("--sensitive"))
    (detach, quiet) = (line.flag("--detach"), line.flag("--quiet"))
    (over, idempotencyKey) = (line.value("--over"), line.value("--idempotency-key"))
  }

  func request(_ kind: PresentationKind) -> PresentationRequest {
    var request = PresentationRequest(kind: kind, conflictPolicy: policy, sensitive: sensitive)
    prompt.add(to: &request)
    request.dismissDisabled = noDismiss
    return request
  }
}
