import ArgumentParser
import OrderedCollections
import Router
import RouterCommandLine
import RouterFrontEnds

/// Options for the prompt of `routerctl run`. An answer is good for one run, so there is no key, and nothing to detach.
struct RunOptions: ParsableArguments {
  @Option(help: "Surface to ask on.")
  var surface = "main"

  @Option(help: "Application name shown to the person (default: the calling program or script).")
  var app: String?

  @Option(help: "Queue priority.")
  var priority = PresentationOptions.Priority.normal

  @Option(help: ArgumentHelp("Expire after this time, shown or not: seconds, or 500ms, 30s, 5m, 2h, 1d.", valueName: "time"))
  var timeout: DurationArgument?

  @Option(help: "Severity shown to the person. It does not change the queue position.")
  var severity = PresentationOptions.Severity.standard

  @OptionGroup var authority: AuthorityOptions

  @Flag(help: "Do not ask in this terminal if the surface has no presenter.")
  var noInline = false

  @Flag(name: .shortAndLong, help: "Do not print on standard error what the prompt is waiting for, or why nothing ran.")
  var quiet = false

  @Option(help: ArgumentHelp("Attach a label; repeatable.", valueName: "name=value"))
  var metadata: [LabelArgument] = []

  @OptionGroup var daemon: DaemonOptions

  /// The request to run a command.
  func request(_ act: Act, reason: String?) -> PresentationRequest {
    var request = PresentationRequest(
      kind: .alert, title: ToolTitle.running(act.commandLine ?? ""), message: reason,
      buttons: [
        PresentationRequest.Button(id: "run", label: "Run"),
        PresentationRequest.Button(id: "no", label: "Don't run", role: .cancel, isDefault: true),
      ], app: app, surface: surface, priority: priority, timeout: timeout?.duration)
    request.severity = severity
    request.act = act
    authority.add(to: &request, matches: [.exact, .prefix])
    for label in metadata { request.metadata[label.name] = label.value }
    return request
  }
}
