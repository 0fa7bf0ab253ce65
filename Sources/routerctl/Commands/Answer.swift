import ArgumentParser
import Router
import RouterClient
import RouterCommandLine
import RouterFrontEnds

struct Answer: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "answer",
    abstract: "Answer an open prompt.",
    discussion: """
      EXAMPLES
        routerctl answer --last --button deploy
        routerctl answer --last --button deny --comment 'Use trash instead.'
        routerctl answer 5f0c1a2b --value '{"name":"Ada"}'
      """)

  @OptionGroup var target: TargetArgument

  @Option(help: ArgumentHelp("Id of the button to press.", valueName: "id"))
  var button: String?

  @Option(help: ArgumentHelp("Answer to a sheet.", valueName: "json|@file|-"))
  var value: JSONArgument?

  @Flag(help: "Turn on the prompt's suppression toggle.")
  var suppressed = false

  @Option(help: ArgumentHelp("Why, for the requester and the log.", valueName: "text"))
  var comment: String?

  @Option(help: ArgumentHelp("Remember the answer: session, or a time such as 1h.", valueName: "time"))
  var remember: RememberArgument?

  @Option(help: "For which later acts the answer is remembered.")
  var match = PresentationRequest.Remember.Match.exact

  @Option(help: "Fail unless this is the prompt's current generation.")
  var generation: Int?

  @OptionGroup var output: OutputOptions
  @OptionGroup var daemon: DaemonOptions

  func validate() throws {
    guard (button == nil) != (value == nil) else { throw ValidationError("Pass either --button or --value.") }
    if let remember, remember.periods.count != 1 { throw ValidationError("Pass one time with --remember.") }
  }

  func run() async throws {
    SecretBytes.forbidCoreDumps()
    let answer: PresentationAnswer =
      if let button { .button(button) } else { .value(try value?.value(for: "--value") ?? .null) }
    let client = daemon.client()
    var extra = AnswerExtra(isSuppressed: suppressed, comment: comment)
    extra.remember = remember.map { GrantChoice(GrantOffer.Width(match), for: $0.periods[0]) }
    let presentation = try await client.answer(try await target.find(in: client), answer, extra, generation: generation)
    if output.json { StandardStream.output.line(presentation.jsonText.escapedForTerminal) }
  }
}
