import ArgumentParser
import Glibc
import Router

/// `routerctl dialog`, or `dialog`: a replacement for dialog that asks through Router.
struct Dialog: FrontEndCommand {
  static let configuration = CommandConfiguration(
    commandName: "dialog",
    abstract: "Show the dialogs of the program dialog as prompts.",
    discussion: """
      Takes dialog's command line and answers on standard error, --stdout or --output-fd, with dialog's exit statuses and the
      variables that change them. Ignores options for appearance. Without a daemon or a presenter, runs the real dialog.

      EXAMPLES
        routerctl dialog --yesno 'Install updates?' 8 40 && apt upgrade
        choice=$(routerctl dialog --stdout --menu 'Start with' 12 40 4 desktop 'The desktop' shell 'A shell')
      """)
  static let links = ["dialog"]

  @Argument(parsing: .captureForPassthrough) var arguments: [String] = []

  static func run(_ arguments: [String]) async -> Int32 {
    let program = DialogProgram(name: "dialog", arguments: arguments)
    do {
      let call = try DialogCall(arguments)
      switch call.action {
      case .help: return program.printInstead(helpMessage())
      case .version: return program.printInstead("Version: 1.3-20230209")
      case .steps(let steps): return await run(steps, of: call, program)
      }
    } catch {
      return program.fail(error)
    }
  }

  private static func run(_ steps: [DialogStep], of call: DialogCall, _ program: DialogProgram) async -> Int32 {
    // Leaves boxes without a question to the real program, which can draw them.
    if steps.allSatisfy({ $0.status != nil }), DialogStatus.hasTerminal { program.becomeRealProgram() }
    let output = StandardStream(descriptor: call.descriptor)
    var (last, outputs, isOK): (Int32, Int, Bool) = (0, 0, true)
    for (position, step) in steps.enumerated() {
      if !isOK, !call.chained.contains(position) { break }
      if var status = step.status {
        status.run()
        (last, isOK) = (0, true)
        continue
      }
      let result = await program.ask(step.box)
      guard let reply = step.reply(result, environment: environmentVariable) else {
        // The real program would repeat the answered questions.
        if steps[..<position].contains(where: { $0.status == nil }) { return 255 }
        return program.fail(unavailable: result.reason)
      }
      StandardStream.error.text(reply.diagnostic)
      if step.kind.hasOutput { outputs += 1 }
      if case .pressed(let button, _) = result, button != .cancel {
        reply.write(to: output, after: outputs > 1 && !step.options.has("separate-output") ? call.separator : "")
      }
      last = reply.status
      guard case .pressed(let button, _) = result else { break }
      isOK = button == .ok
    }
    return last
  }
}
