import ArgumentParser
import OrderedCollections
import Router
import RouterClient
import RouterCommandLine
import RouterFrontEnds

struct Answer: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "answer",
    abstract: "Answer an open prompt.",
    discussion: """
      A presenter must be showing it.

      EXAMPLES
        routerctl answer --last --button deploy
        routerctl answer 5f0c1a2b --button allow --also 77a0c1de --also 91bb02aa
        routerctl answer --last --button deny --comment 'Use trash instead.'
        routerctl answer 5f0c1a2b --value '{"name":"Ada"}'
      """)

  @OptionGroup var target: TargetArgument

  @Option(help: ArgumentHelp("Id of the button to press.", valueName: "id"))
  var button: String?

  @Option(help: ArgumentHelp("Answer to a sheet.", valueName: "json|@file|-"))
  var value: JSONArgument?

  @Option(help: ArgumentHelp("Why, for the requester and the log.", valueName: "text"))
  var comment: String?

  @Option(
    help: ArgumentHelp("Remember the answer: session, always, or a time such as 1h.", valueName: "time"),
    completion: .list(["session", "15m", "1h"]))
  var remember: RememberArgument?

  @Option(help: "For which later acts the answer is remembered (default: exact).")
  var match: PresentationRequest.Remember.Match?

  @Option(
    help: ArgumentHelp(
      "Give this waiting prompt of the same user, app and kind the same answer. Repeatable.", valueName: "id"))
  var also: [IDArgument] = []

  @Option(help: "Fail unless this is the prompt's current generation.")
  var generation: Int?

  @OptionGroup var output: OutputOptions
  @OptionGroup var daemon: DaemonOptions

  func validate() throws {
    guard (button == nil) != (value == nil) else { throw ValidationError("Pass either --button or --value.") }
    if match != nil, remember == nil { throw ValidationError("Pass --match with --remember.") }
    if remember != nil, !also.isEmpty { throw ValidationError("Pass either --remember or --also.") }
    if let remember, remember.periods.count != 1 { throw ValidationError("Pass one time with --remember.") }
  }

  func run() async throws {
    SecretBytes.forbidCoreDumps()
    let answer: PresentationAnswer =
      if let button { .button(button) } else { .value(try value?.value(for: "--value") ?? .null) }
    let client = daemon.client()
    var extra = AnswerExtra(comment: comment)
    extra.remember = remember.map { GrantChoice(GrantOffer.Width(match ?? .exact), for: $0.periods[0]) }
    let id = try await target.find(in: client)
    guard also.isEmpty else { return try await answerAll(id, answer, extra, client) }
    let presentation = try await RouterError.namingOptions {
      try await client.answer(id, answer, extra, generation: generation)
    }
    if output.json { StandardStream.output.line(presentation.jsonText.escapedForTerminal) }
  }

  private func answerAll(
    _ id: PresentationID, _ answer: PresentationAnswer, _ extra: AnswerExtra, _ client: RouterClient
  ) async throws {
    var extra = extra
    for argument in also {
      guard let other = try await client.findOpen(argument, where: { _ in true }) else {
        throw CommandFailure(.refused, "cannot answer \(argument.text) too: no open prompt has that id")
      }
      guard let act = try await client.presentation(other).request.act else {
        throw CommandFailure(.refused, "cannot answer \(other.short) too: only a prompt with an act can be one of several")
      }
      extra.also[other] = act.digest
    }
    let (presentation, fates) = try await RouterError.namingOptions {
      try await client.answerAll(id, answer, extra, generation: generation)
    }
    for (id, fate) in fates where fate != "answered" && !output.json {
      let words = fate == "resolved" ? "had ended before" : "was left alone: it has changed"
      StandardStream.error.message("routerctl: \(id.suffix(8)) \(words)")
    }
    guard output.json else { return }
    let reply = JSONText { writer in
      presentation.addMembers(to: &writer)
      writer.add("also", .object(fates))
    }
    StandardStream.output.line(reply.escapedForTerminal)
  }
}
