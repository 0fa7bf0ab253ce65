import ArgumentParser
import Glibc
import OrderedCollections
import Router

struct Choose: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "choose",
    abstract: "Ask for one of several choices, and print it.",
    discussion: """
      Without choices as arguments it reads them from standard input, one per line, up to 10,000. They become the buttons of a
      confirmation dialog, with the ids c1, c2 and so on. The --cancel button prints nothing and exits with 1. With --multiple
      they become a form of up to 64 toggles, and the chosen ones are printed one per line.

      EXAMPLES
        routerctl choose 'Which branch?' main develop 'release 1.4'
        branch=$(git branch --format '%(refname:short)' | routerctl choose 'Check out' --cancel Stay) &&
          git checkout "$branch"
        ls | routerctl choose 'Delete which?' --multiple | xargs -d '\\n' rm
      """)

  @Argument(help: "Title.")
  var title: String

  @Argument(help: "Choices (default: the lines of standard input).")
  var choice: [String] = []

  @Flag(help: "Choose any number of them.")
  var multiple = false

  @Option(help: "Text below the title.")
  var message: String?

  @Option(help: ArgumentHelp("Add a cancel button.", valueName: "label"))
  var cancel: String?

  @OptionGroup(title: "Prompt options") var options: AskOptions

  func validate() throws {
    if multiple, cancel != nil { throw ValidationError("--cancel does not go with --multiple: a form is dismissed.") }
  }

  func run() async throws {
    let choices = try choice.isEmpty ? Self.lines(try input()) : choice
    let named = choices.enumerated().map { (id: "c\($0 + 1)", label: $1) }
    try await options.ask(request(named)) { answer in
      switch answer {
      case .button(let id): return named.first { $0.id == id }?.label
      case .value(let value):
        let chosen = named.filter { value[$0.id]?.bool == true }.map(\.label)
        return chosen.isEmpty ? nil : chosen.joined(separator: "\n")
      case .redacted: return nil
      }
    }
  }

  func request(_ choices: [(id: String, label: String)]) -> PresentationRequest {
    var request = options.request(multiple ? .sheet : .confirmationDialog)
    request.title = title
    request.message = message
    if multiple {
      request.sheet = "choose"
      request.schema = FormSchema(
        properties: choices.map { FormProperty(name: $0.id, kind: .boolean, title: $0.label, defaultValue: false) })
    } else {
      request.buttons = choices.map { PresentationButton(id: $0.id, label: $0.label) }
      if let cancel { request.buttons.append(PresentationButton(id: "cancel", label: cancel, role: .cancel)) }
    }
    return request
  }

  private func input() throws -> [UInt8] {
    guard isatty(STDIN_FILENO) == 0 else {
      throw CommandFailure(.usage, "cannot choose: there are no choices. Give them as arguments, or on standard input")
    }
    return try InputFile.standardInput.bytes(for: "the choices")
  }

  /// The lines that have text, each once.
  static func lines(_ input: [UInt8]) throws -> [String] {
    let lines = input.split { $0 == UInt8(ascii: "\n") || $0 == UInt8(ascii: "\r") }.map { String(decoding: $0, as: UTF8.self) }
    let choices = OrderedSet(lines.filter { !$0.trimmingWhiteSpace.isEmpty })
    guard !choices.isEmpty else { throw CommandFailure(.usage, "cannot choose: standard input has no lines") }
    return Array(choices)
  }
}
