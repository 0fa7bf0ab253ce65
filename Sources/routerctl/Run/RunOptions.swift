import ArgumentParser
import Router
import RouterCommandLine
import RouterFrontEnds

/// Options for the prompt of `routerctl run`. An answer is valid for one run, so there are no options for a key or for
/// detaching.
struct RunOptions: ParsableArguments {
  @OptionGroup var prompt: PromptOptions
  @OptionGroup var authority: AuthorityOptions

  @Flag(name: .shortAndLong, help: "Do not print on standard error what the prompt is waiting for, or why nothing ran.")
  var quiet = false

  @OptionGroup var daemon: DaemonOptions

  /// Creates the request to run a command.
  func request(_ act: Act, reason: String?) -> PresentationRequest {
    var request = PresentationRequest(
      kind: .alert, title: ToolTitle.running(act.commandLine ?? ""), message: reason,
      buttons: [
        PresentationRequest.Button(id: "run", label: "Run"),
        PresentationRequest.Button(id: "no", label: "Don't run", role: .cancel, isDefault: true),
      ])
    prompt.add(to: &request)
    request.act = act
    authority.add(to: &request, matches: [.exact, .prefix])
    return request
  }
}
