import ArgumentParser
import OrderedCollections
import Router
import RouterCommandLine

/// The options of every command that shows a prompt.
struct PromptOptions: PlainArguments {
  @Option(help: "Surface to ask on.")
  var surface = "main"

  @Option(help: "Application name shown to the person (default: the calling program or script).")
  var app: String?

  @Option(help: "Queue priority.")
  var priority = PresentationOptions.Priority.normal

  @Option(
    help: ArgumentHelp(
      "Expire after this time, shown or not: seconds, or 500ms, 30s, 5m, 2h, 1d (at most 3650d).", valueName: "time"))
  var timeout: DurationArgument?

  @Option(help: "Severity shown to the person. It does not change the queue position.")
  var severity = PresentationOptions.Severity.standard

  @Option(help: ArgumentHelp("Attach a label; repeatable.", valueName: "name=value"))
  var metadata: [LabelArgument] = []

  @Flag(help: "Do not ask in this terminal if the surface has no presenter.")
  var noInline = false

  mutating func read(_ line: inout PlainOptions) {
    (surface, app) = (line.value("--surface") ?? "main", line.value("--app"))
    (priority, severity) = (line.value("--priority") ?? .normal, line.value("--severity") ?? .standard)
    (timeout, metadata) = (line.value("--timeout"), line.values("--metadata"))
    noInline = line.flag("--no-inline")
  }

  func add(to request: inout PresentationRequest) {
    request.surface = surface
    request.app = app
    request.priority = priority
    request.timeout = timeout?.duration
    request.severity = severity
    for label in metadata { request.metadata[label.name] = label.value }
  }
}
