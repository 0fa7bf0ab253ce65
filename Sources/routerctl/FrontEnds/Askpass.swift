import ArgumentParser
import Router

/// `routerctl askpass`, or `router-askpass`: asks for what ssh, sudo and git want to know.
struct Askpass: FrontEndCommand {
  static let configuration = CommandConfiguration(
    commandName: "askpass",
    abstract: "Ask for a password for ssh, sudo or git.",
    discussion: """
      EXAMPLES
        routerctl askpass 'Password: '
      """)
  static let links = ["router-askpass"]

  @Argument(parsing: .captureForPassthrough) var arguments: [String] = []

  static func run(_ arguments: [String]) async -> Int32 {
    var frontEnd = FrontEnd()
    frontEnd.waitsForPresenter = true
    let secret = SecureField("Password", name: "password")
    var request = PresentationRequest(
      kind: .sheet, sheet: "askpass", schema: FormSchema(properties: [secret.property]), sensitive: true)
    request.setText(arguments.joined(separator: " "), title: "Password")
    switch await frontEnd.ask(request) {
    case .answered(.value(let value), _):
      StandardStream.output.line(value["password"]?.string ?? "")
      return 0
    case .unavailable(let reason):
      FrontEnd.warn("router-askpass", reason)
      return 1
    default: return 1
    }
  }
}
