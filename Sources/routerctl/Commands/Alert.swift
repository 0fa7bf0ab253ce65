import ArgumentParser
import Router

struct Alert: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "alert",
    abstract: "Show an alert and print the chosen button's id.",
    discussion: """
      Without a button there is one, OK, whose id is ok. The button of --cancel has the id cancel, and pressing it exits 1.

      EXAMPLES
        routerctl alert 'Backup finished' --message '42 GB in 3 minutes'
        routerctl alert 'Deploy 1.4.2?' --destructive deploy=Deploy --button wait='In an hour' --cancel 'Not now'
        routerctl alert 'Are you there?' --timeout 30s || echo nobody
      """)

  @Argument(help: "What the person reads first.")
  var title: String

  @Option(help: "What stands below the title.")
  var message: String?

  @Option(help: ArgumentHelp("A button; may be repeated.", valueName: "id=label"))
  var button: [ButtonArgument] = []

  @Option(help: ArgumentHelp("A button that destroys something; may be repeated.", valueName: "id=label"))
  var destructive: [ButtonArgument] = []

  @Option(help: ArgumentHelp("The button for 'no', with the id cancel.", valueName: "label"))
  var cancel: String?

  @OptionGroup(title: "Asking options") var options: AskOptions

  var request: PresentationRequest {
    var request = options.request(.alert)
    request.title = title
    request.message = message
    let buttons = button.map { ($0.position, $0.button()) } + destructive.map { ($0.position, $0.button(.destructive)) }
    request.buttons = buttons.sorted { $0.0 < $1.0 }.map(\.1)
    if let cancel { request.buttons.append(PresentationButton(id: "cancel", label: cancel, role: .cancel)) }
    return request
  }

  func run() async throws {
    try await options.ask(request)
  }
}
