import ArgumentParser
import Router

/// `routerctl whiptail`, or `whiptail`: a replacement for newt's whiptail that asks through Router.
struct Whiptail: FrontEndCommand {
  static let configuration = CommandConfiguration(
    commandName: "whiptail",
    abstract: "Show the dialogs of whiptail as prompts.",
    discussion: """
      Takes whiptail's command line and answers on standard error or --output-fd, with whiptail's exit statuses. Ignores
      options for appearance. Without a daemon or a presenter, runs the real whiptail.

      EXAMPLES
        routerctl whiptail --yesno 'Install updates?' 8 40 && apt upgrade
        name=$(routerctl whiptail --inputbox 'Host name' 8 40 "$(hostname)" 3>&1 1>&2 2>&3)
      """)
  static let links = ["whiptail"]

  @Argument(parsing: .captureForPassthrough) var arguments: [String] = []

  static func run(_ arguments: [String]) async -> Int32 {
    let program = DialogProgram(name: "whiptail", arguments: arguments)
    let call: WhiptailCall
    do {
      call = try WhiptailCall(arguments)
    } catch {
      return program.fail(error)
    }
    switch call.action {
    case .help: return program.printInstead(helpMessage())
    case .version: return program.printInstead("whiptail (newt): 0.52.23")
    case .show(var status):
      if DialogStatus.hasTerminal { program.becomeRealProgram() }
      status.run()
      return 0
    case .ask(let box):
      let result = await program.ask(box)
      guard let reply = call.reply(result) else { return program.fail(unavailable: result.reason) }
      reply.write(to: StandardStream(descriptor: call.descriptor))
      return reply.status
    }
  }
}
