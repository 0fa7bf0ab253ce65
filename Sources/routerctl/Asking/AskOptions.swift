import ArgumentParser
import OrderedCollections
import Router
import RouterCommandLine

struct AskOptions: ParsableArguments {
  @Option(help: "Surface to ask on.")
  var surface = "main"

  @Option(help: "Application name shown to the person (default: the calling program or script).")
  var app: String?

  @Option(help: "Queue priority.")
  var priority = PresentationOptions.Priority.normal

  @Option(help: "What to do if the surface already has open prompts.")
  var policy = PresentationOptions.ConflictPolicy.enqueue

  @Option(help: ArgumentHelp("Expire after this time, shown or not: seconds, or 500ms, 30s, 5m, 2h, 1d.", valueName: "time"))
  var timeout: DurationArgument?

  @Option(help: "Severity shown to the person. It does not change the queue position.")
  var severity = PresentationOptions.Severity.standard

  @Flag(help: "Require an answer: the person cannot dismiss the prompt.")
  var noDismiss = false

  @Option(
    help: ArgumentHelp(
      "Show a toggle such as \"Don't ask again\" with the buttons; --json has isSuppressed.", valueName: "label"))
  var suppressionToggle: String?

  @Flag(help: "Do not log the answer or show it to others.")
  var sensitive = false

  @Option(help: ArgumentHelp("Stack this prompt on another of your open prompts.", valueName: "id"))
  var over: IDArgument?

  @Flag(help: "Do not wait: print the id, for 'routerctl wait'.")
  var detach = false

  @Flag(help: "Do not ask in this terminal if the surface has no presenter.")
  var noInline = false

  @Flag(name: .shortAndLong, help: "Do not print on standard error what the prompt is waiting for.")
  var quiet = false

  @Option(help: ArgumentHelp("Idempotency key: ask at most once per key.", valueName: "key"))
  var idempotencyKey: String?

  @Option(help: ArgumentHelp("Attach a label; repeatable.", valueName: "name=value"))
  var metadata: [LabelArgument] = []

  @OptionGroup var content: ContentOptions
  @OptionGroup var output: OutputOptions
  @OptionGroup var daemon: DaemonOptions

  func request(_ kind: PresentationKind) -> PresentationRequest {
    var request = PresentationRequest(
      kind: kind, app: app, surface: surface, priority: priority, conflictPolicy: policy, timeout: timeout?.duration,
      sensitive: sensitive)
    request.severity = severity
    request.dismissDisabled = noDismiss
    request.suppressionToggle = suppressionToggle
    for label in metadata { request.metadata[label.name] = label.value }
    return request
  }
}
