import FoundationEssentials
import Glibc
import Router

/// The output and exit status of a dialog program.
struct DialogReply: Sendable, Hashable {
  var output = ""
  /// Additional text for standard error.
  var diagnostic = ""
  var status: Int32

  /// Writes the output with the original bytes of its texts.
  func write(to stream: StandardStream, after separator: String = "") { stream.bytes((separator + output).keptBytes) }
}

/// Shared behavior of zenity, whiptail and dialog after parsing.
package struct DialogProgram {
  let name: String
  let arguments: [String]
  var input = DialogInput()

  /// Set in the environment of `routerctl present --exec` commands, which show prompts and must not ask through Router.
  package static let presenterMarker = "ROUTER_PRESENTER"

  /// Asks the question of a box.
  func ask(_ box: DialogBox) async -> DialogBox.Result {
    if getenv(Self.presenterMarker) != nil { return .unavailable("a presenter's --exec command must not ask") }
    // Leaves text that `FrontEnd` would truncate to the real program.
    guard box.text.utf8.count <= 65_536 else { return .unavailable("its text is longer than 64 KiB") }
    return box.result(await FrontEnd().ask(box.request(from: name)))
  }

  /// Replaces this process with the real program and passes on the input read so far. Returns if the program does not exist.
  func becomeRealProgram() {
    guard RealProgram.path(of: name) != nil else { return }
    input.restore()
    RealProgram.execute(name, arguments)
  }

  /// Runs the real program to print its own help or version. If it does not exist, prints a text instead.
  func printInstead(_ text: String) -> Int32 {
    becomeRealProgram()
    StandardStream.output.line(text)
    return 0
  }

  /// Prints a diagnostic on standard error, unless a script may read an answer from it.
  func warn(_ message: String) {
    if name == "zenity" || isatty(STDERR_FILENO) == 1 {
      StandardStream.error.line(message.escapedForTerminal(keepsNewlines: true))
    }
  }

  /// Runs the real program for a command line that Router cannot ask.
  ///
  /// - Returns: The exit status if the real program does not exist.
  func fail(_ failure: DialogFailure) -> Int32 {
    becomeRealProgram()
    switch failure {
    case .usage(let message, let status):
      StandardStream.error.line(message.escapedForTerminal(keepsNewlines: true))
      return status
    case .cannotShow(let what):
      warn("\(name): cannot show \(what) without the real \(name)")
      return 255
    }
  }

  /// Runs the real program because the box could not be shown.
  ///
  /// - Returns: The exit status if the real program does not exist.
  func fail(unavailable reason: String) -> Int32 {
    becomeRealProgram()
    warn("\(name): cannot ask: \(reason)")
    return 255
  }
}

/// Standard input, buffered so that the real program can read it again.
struct DialogInput {
  private var bytes: [UInt8]?

  init(_ text: String? = nil) {
    bytes = text?.keptBytes
  }

  /// Reads to the end of the input and keeps its bytes; empty if standard input is a terminal.
  mutating func read() -> String {
    if bytes == nil { bytes = isatty(STDIN_FILENO) == 0 ? Descriptors.readAll(STDIN_FILENO) : [] }
    return String(keeping: bytes ?? [])
  }

  /// Reads a text file; `nil` on failure.
  static func contents(ofFile path: String) -> String? {
    FileManager.default.contents(atPath: path).map { String(keeping: $0) }
  }

  /// Replaces standard input with a temporary file of the bytes read so far.
  func restore() {
    guard let bytes, let file = tmpfile() else { return }
    let descriptor = fileno(file)
    StandardStream(descriptor: descriptor).bytes(bytes)
    lseek(descriptor, 0, SEEK_SET)
    dup2(descriptor, STDIN_FILENO)
  }
}
