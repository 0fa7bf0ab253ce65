import ArgumentParser
import Glibc
import Router

/// `routerctl zenity`, or `zenity`: a replacement for zenity that asks through Router.
struct Zenity: FrontEndCommand {
  static let configuration = CommandConfiguration(
    commandName: "zenity",
    abstract: "Show the dialogs of zenity as prompts.",
    discussion: """
      Takes zenity's command line and answers on standard output, with zenity's exit statuses and the variables that change
      them. Ignores options for appearance. Runs the real zenity for unsupported dialogs, such as file selection.

      EXAMPLES
        routerctl zenity --question --text 'Install updates?' && apt upgrade
        name=$(routerctl zenity --entry --text 'Host name' --entry-text "$(hostname)")
        ls | routerctl zenity --list --column File --text 'Which one?'
      """)
  static let links = ["zenity"]

  @Argument(parsing: .captureForPassthrough) var arguments: [String] = []

  static func run(_ arguments: [String]) async -> Int32 {
    var program = DialogProgram(name: "zenity", arguments: arguments)
    let call: ZenityCall
    do {
      call = try ZenityCall(arguments, input: &program.input)
    } catch {
      return program.fail(error)
    }
    switch call.action {
    case .help: return program.printInstead(helpMessage())
    case .version: return program.printInstead("3.44.0")
    case .show(var status):
      if getenv("DISPLAY") != nil || getenv("WAYLAND_DISPLAY") != nil { program.becomeRealProgram() }
      status.run()
      return 0
    case .ask(let box):
      let result = await program.ask(box)
      guard let reply = call.reply(result, environment: environmentVariable) else {
        return program.fail(unavailable: result.reason)
      }
      reply.write(to: .output)
      return reply.status
    }
  }
}
