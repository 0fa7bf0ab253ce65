import ArgumentParser
import Router
import RouterClient

struct Answer: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "answer",
    abstract: "Answer an open prompt.",
    discussion: """
      EXAMPLES
        routerctl answer 01936f5e-1b2c-7def-8a90-112233445566 --button deploy
        routerctl answer 01936f5e-1b2c-7def-8a90-112233445566 --value '{"name":"Ada"}'
      """)

  @Argument(help: "Presentation id, as 'routerctl queue' prints it.")
  var id: PresentationID

  @Option(help: ArgumentHelp("Id of the button to press.", valueName: "id"))
  var button: String?

  @Option(help: ArgumentHelp("Answer to a sheet.", valueName: "json|@file|-"))
  var value: JSONArgument?

  @Option(help: "Fail unless this is the current generation (showing).")
  var generation: Int?

  @OptionGroup var output: OutputOptions
  @OptionGroup var daemon: DaemonOptions

  func validate() throws {
    guard (button == nil) != (value == nil) else { throw ValidationError("Give one of --button and --value.") }
  }

  func run() async throws {
    let answer: PresentationAnswer =
      if let button { .button(button) } else { .value(try value?.value(for: "--value") ?? .null) }
    let presentation = try await daemon.client().answer(id, answer, generation: generation)
    if output.json { StandardStream.output.line(presentation.jsonText.escapedForTerminal) }
  }
}
