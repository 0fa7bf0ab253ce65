import ArgumentParser
import OrderedCollections
import Router

struct AskOptions: ParsableArguments {
  @Option(help: "Where it is shown.")
  var surface = "main"

  @Option(help: "Application name shown to the person (default: the calling program or script).")
  var app: String?

  @Option(help: "Which of the waiting comes first.")
  var priority = PresentationPriority.normal

  @Option(help: "What to do where something is open already.")
  var policy = ConflictPolicy.enqueue

  @Option(help: ArgumentHelp("When it expires, shown or not: seconds, or 500ms, 30s, 5m, 2h, 1d.", valueName: "time"))
  var timeout: DurationArgument?

  @Flag(help: "Keep the answer out of the log; it is for you alone.")
  var sensitive = false

  @Option(help: ArgumentHelp("Stack it on this presentation of yours.", valueName: "id"))
  var over: PresentationID?

  @Flag(help: "Do not wait: print the id, which 'wait' takes.")
  var detach = false

  @Option(help: ArgumentHelp("Ask at most once for this key.", valueName: "key"))
  var idempotencyKey: String?

  @Option(help: ArgumentHelp("A label of your own; may be repeated.", valueName: "name=value"))
  var metadata: [LabelArgument] = []

  @OptionGroup var output: OutputOptions
  @OptionGroup var daemon: DaemonOptions

  func request(_ kind: PresentationKind) -> PresentationRequest {
    var request = PresentationRequest(
      kind: kind, app: app, surface: surface, priority: priority, conflictPolicy: policy, timeout: timeout?.duration,
      over: over, sensitive: sensitive)
    for label in metadata { request.metadata[label.name] = label.value }
    return request
  }
}
