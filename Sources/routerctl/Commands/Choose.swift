import ArgumentParser
import Glibc
import OrderedCollections
import Router
import RouterCommandLine

struct Choose: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "choose",
    abstract: "Ask for one of several choices, and print it.",
    discussion: """
      Without choices as arguments it reads them from standard input, one per line, up to 10,000. They become the buttons of a
      confirmation dialog, with the ids c1, c2 and so on. The --cancel button prints nothing and exits with 1. With --multiple
      they become a form with one field, an array named choices; the chosen ones are printed one per line, in their order.
      Choices are printed with the bytes they were given with; what cannot be shown is escaped in the prompt.

      EXAMPLES
        routerctl choose 'Which branch?' main develop 'release 1.4'
        branch=$(git branch --format '%(refname:short)' | routerctl choose 'Check out' --cancel Stay) &&
          git checkout "$branch"
        ls | routerctl choose 'Delete which?' --multiple | xargs -d '\\n' rm --
      """)

  @Argument(help: "Title.")
  var title: String

  @Argument(help: "Choices (default: the lines of standard input).")
  var choice: [String] = []

  @Flag(help: "Allow any number of choices.")
  var multiple = false

  @Option(help: "Text below the title.")
  var message: String?

  @Option(help: ArgumentHelp("Add a cancel button.", valueName: "label"))
  var cancel: String?

  @Option(
    name: .customLong("default"), help: ArgumentHelp("The choice or cancel button that Enter presses.", valueName: "label"))
  var defaultChoice: String?

  @OptionGroup var act: ActOptions

  @OptionGroup var options: AskOptions

  /// The name of the form's field.
  private static let field = "choices"

  func validate() throws {
    if multiple, defaultChoice != nil {
      throw ValidationError("--default cannot be used with --multiple: a form has no buttons.")
    }
    if multiple, cancel != nil { throw ValidationError("--cancel cannot be used with --multiple: a form has no buttons.") }
  }

  func run() async throws {
    let command = try withBytes()
    let choices = try choice.isEmpty ? Self.lines(try input()) : command.choice
    let shown = Self.shown(choices)
    try await options.ask(try command.request(shown, of: choices), button: { $0.role == nil ? "the choice" : $0.option }) {
      answer in
      switch answer {
      case .button(let id): return shown.firstIndex { $0.id == id }.map { choices[$0].keptBytes }
      case .value(let value):
        let answer = Set(value[Self.field]?.array ?? [])
        let chosen = zip(choices, shown).filter { answer.contains(.string($1.label)) }.map(\.0.keptBytes)
        return chosen.isEmpty ? nil : Array(chosen.joined(separator: "\n".utf8))
      case .redacted: return nil
      }
    }
  }

  /// Returns the command with the choices' original bytes, in case they are not UTF-8.
  private func withBytes() throws -> Choose {
    guard (choice + [defaultChoice ?? ""]).contains(where: { $0.unicodeScalars.contains("\u{FFFD}") }),
      let kept = try Routerctl.parseAsRoot(Array(CommandLine.keptArguments.dropFirst())) as? Choose
    else { return self }
    var command = self
    (command.choice, command.defaultChoice) = (kept.choice, kept.defaultChoice)
    return command
  }

  /// Returns the choices with their ids and labels that all look different.
  private static func shown(_ choices: [String]) -> [(id: String, label: String)] {
    choices.map(\.expandingTabs).distinctLabels.enumerated().map { ("c\($0 + 1)", $1) }
  }

  /// - Parameter rows: The choices, if they differ from their labels.
  func request(_ choices: [(id: String, label: String)], of rows: [String]? = nil) throws -> PresentationRequest {
    var request = options.request(multiple ? .sheet : .confirmationDialog)
    request.title = title
    request.message = message?.expandingTabs
    act.add(to: &request)
    if multiple {
      request.sheet = "choose"
      request.schema = FormSchema(properties: [
        FormSchema.Property(
          name: Self.field, kind: .array, title: "Choices", isRequired: true, choices: choices.map { .string($0.label) })
      ])
    } else {
      request.buttons = choices.map { PresentationRequest.Button(id: $0.id, label: $0.label) }
      if let cancel { request.buttons.append(PresentationRequest.Button(id: "cancel", label: cancel, role: .cancel)) }
      try request.setDefault(defaultChoice, of: rows ?? choices.map(\.label))
    }
    return request
  }

  /// Reads standard input to its end.
  private func input() throws -> [UInt8] {
    guard isatty(STDIN_FILENO) == 0 else {
      throw CommandFailure(.usage, "no choices: pass them as arguments or on standard input")
    }
    return try InputFile.standardInput.bytes(for: "the choices")
  }

  /// Returns the distinct lines that are not blank. Compares bytes.
  static func lines(_ input: [UInt8]) throws -> [String] {
    let lines = String(keeping: input).lines.filter { !$0.trimmingWhiteSpace.isEmpty }
    let choices = OrderedSet(lines.map { JSONValue.string(String($0)) }).compactMap(\.string)
    guard !choices.isEmpty else { throw CommandFailure(.usage, "no choices: standard input is empty") }
    return choices
  }
}
