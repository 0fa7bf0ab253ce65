import ArgumentParser
import Router
import RouterCommandLine

struct Confirm: AsyncParsableCommand, PlainArguments {
  enum Button: String, CaseIterable, ExpressibleByArgument {
    case yes, no
  }

  static let configuration = CommandConfiguration(
    commandName: "confirm",
    abstract: "Ask yes or no; the exit status is the answer.",
    discussion: """
      Exits with 0 for yes and 1 for no. Without an answer: 2 cancelled, 3 dismissed, 5 expired.

      EXAMPLES
        routerctl confirm 'Delete 3 files?' && rm a b c
        routerctl confirm 'Format the disk?' --severity critical
        routerctl confirm 'Deploy 1.4.2?' --require 2:ops --timeout 30m && ./deploy
        routerctl confirm 'Reboot now?' --message 'Two people are logged in.' --yes Reboot --no 'Not now' --timeout 5m
      """)

  @Argument(help: "The question.")
  var title: String

  @Option(help: "Text below the question.")
  var message: String?

  @Option(help: ArgumentHelp("Label of the button for yes.", valueName: "label"))
  var yes = "Yes"

  @Option(help: ArgumentHelp("Label of the button for no.", valueName: "label"))
  var no = "No"

  @Option(name: .customLong("default"), help: "The button that Enter presses (default: yes, or no with --severity critical).")
  var defaultButton: Button?

  @Flag(help: "Print the person's comment, if there is one.")
  var comment = false

  @OptionGroup var act: ActOptions

  @OptionGroup var options: AskOptions

  mutating func read(_ line: inout PlainOptions) {
    (message, defaultButton) = (line.value("--message"), line.value("--default"))
    (yes, no) = (line.value("--yes") ?? "Yes", line.value("--no") ?? "No")
    comment = line.flag("--comment")
    (act, options) = (line.group(), line.group())
    title = line.argument()
  }

  var request: PresentationRequest {
    var request = options.request(.alert)
    request.title = title
    request.message = message?.expandingTabs
    act.add(to: &request)
    request.buttons = [
      PresentationRequest.Button(id: "yes", label: yes, isDefault: defaultButton == .yes),
      PresentationRequest.Button(id: "no", label: no, role: .cancel, isDefault: defaultButton == .no),
    ]
    return request
  }

  func run() async throws {
    try await options.ask(request, button: { "--\($0.id)" }, printsComment: comment) { _ in nil }
  }
}
