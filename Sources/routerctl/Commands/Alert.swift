import ArgumentParser
import Router

struct Alert: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "alert",
    abstract: "Show an alert, and print the id of the pressed button.",
    discussion: """
      Without buttons the alert has one, OK, with the id ok. The --cancel button has the id cancel and exits with 1.

      EXAMPLES
        routerctl alert 'Backup finished' --message '42 GB in 3 minutes'
        routerctl alert 'Deploy 1.4.2?' --destructive deploy=Deploy --button wait='In an hour' --cancel 'Not now'
        routerctl alert 'Are you there?' --timeout 30s || echo nobody
      """)

  @Argument(help: "Title.")
  var title: String

  @Option(help: "Text below the title.")
  var message: String?

  @Option(help: ArgumentHelp("Add a button; repeatable.", valueName: "id=label"))
  var button: [ButtonArgument] = []

  @Option(help: ArgumentHelp("Add a button for a destructive action; repeatable.", valueName: "id=label"))
  var destructive: [ButtonArgument] = []

  @Option(help: ArgumentHelp("Add a cancel button, with the id cancel.", valueName: "label"))
  var cancel: String?

  @Option(name: .customLong("default"), help: ArgumentHelp("The button that Enter presses.", valueName: "id"))
  var defaultButton: String?

  @OptionGroup var act: ActOptions

  @OptionGroup var options: AskOptions

  func request() throws -> PresentationRequest {
    var request = options.request(.alert)
    request.title = title
    request.message = message?.expandingTabs
    act.add(to: &request)
    let buttons = button.map { ($0.position, $0.button()) } + destructive.map { ($0.position, $0.button(.destructive)) }
    request.buttons = buttons.sorted { $0.0 < $1.0 }.map(\.1)
    if let cancel { request.buttons.append(PresentationRequest.Button(id: "cancel", label: cancel, role: .cancel)) }
    try request.setDefault(defaultButton, of: request.buttons.map(\.id))
    return request
  }

  func run() async throws {
    try await options.ask(try request())
  }
}
