import ArgumentParser
import Router

struct Choose: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "choose",
    abstract: "Ask for one of several choices, and print it.",
    discussion: """
      The choices become the buttons of a confirmation dialog, with the ids c1, c2 and so on. The --cancel button prints
      nothing and exits with 1.

      EXAMPLES
        routerctl choose 'Which branch?' main develop 'release 1.4'
        branch=$(git branch --format '%(refname:short)' | xargs routerctl choose 'Check out' --cancel Stay) && git checkout "$branch"
      """)

  @Argument(help: "Title.")
  var title: String

  @Argument(help: "Choices.")
  var choice: [String]

  @Option(help: "Text below the title.")
  var message: String?

  @Option(help: ArgumentHelp("Add a cancel button.", valueName: "label"))
  var cancel: String?

  @OptionGroup(title: "Prompt options") var options: AskOptions

  var request: PresentationRequest {
    var request = options.request(.confirmationDialog)
    request.title = title
    request.message = message
    request.buttons = choice.enumerated().map { PresentationButton(id: "c\($0 + 1)", label: $1) }
    if let cancel { request.buttons.append(PresentationButton(id: "cancel", label: cancel, role: .cancel)) }
    return request
  }

  func run() async throws {
    let buttons = request.buttons
    try await options.ask(request) { answer in
      guard case .button(let id) = answer else { return nil }
      return buttons.first { $0.id == id && $0.role != .cancel }?.label
    }
  }
}
