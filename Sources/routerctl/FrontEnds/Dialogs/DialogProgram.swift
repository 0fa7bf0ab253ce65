import FoundationEssentials
import Glibc
import Router

/// What a dialog program prints and how it exits.
struct DialogReply: Sendable, Hashable {
  var output = ""
  /// What goes to standard error besides.
  var diagnostic = ""
  var status: Int32
}

/// What zenity, whiptail and dialog have in common once their command lines are read.
struct DialogProgram {
  let name: String
  let arguments: [String]
  var input = DialogInput()

  /// Set for the command of `routerctl present --exec`, which shows prompts and must not ask any.
  static let presenterMarker = "ROUTER_PRESENTER"

  /// Asks a box.
  func ask(_ box: DialogBox) async -> DialogBox.Result {
    if getenv(Self.presenterMarker) != nil { return .unavailable("a presenter shows prompts and asks none") }
    // What the common part would cut is for the real program to show in full.
    guard box.text.utf8.count <= 65_536 else { return .unavailable("the text is too long") }
    return box.result(await FrontEnd().ask(box.request(from: name)))
  }

  /// Becomes the real program, with the input that was read. Returns if there is none.
  func becomeRealProgram() {
    guard RealProgram.path(of: name) != nil else { return }
    input.restore()
    RealProgram.execute(name, arguments)
  }

  /// Prints a diagnostic: on standard error, but not where a script may read an answer from there.
  func warn(_ message: String) {
    if name == "zenity" || isatty(STDERR_FILENO) == 1 {
      StandardStream.error.line(message.escapedForTerminal(keepsNewlines: true))
    }
  }

  /// Lets the real program do what cannot be asked.
  ///
  /// - Returns: The exit status if there is no such program.
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

  /// Lets the real program ask what could not be asked.
  ///
  /// - Returns: The exit status if there is no such program.
  func fail(unavailable reason: String) -> Int32 {
    becomeRealProgram()
    warn("\(name): cannot ask: \(reason)")
    return 255
  }
}

/// Standard input, kept so that the real program can read it again.
struct DialogInput {
  private var bytes: [UInt8]?

  init(_ text: String? = nil) {
    bytes = text.map { Array($0.utf8) }
  }

  /// Reads to the end. Nobody types at a terminal here: it has nothing.
  mutating func read() -> String {
    if bytes == nil {
      var content: [UInt8] = []
      var chunk = [UInt8](repeating: 0, count: 65_536)
      while isatty(STDIN_FILENO) == 0 {
        let count = Glibc.read(STDIN_FILENO, &chunk, chunk.count)
        if count < 0, errno == EINTR { continue }
        guard count > 0 else { break }
        content += chunk[..<count]
      }
      bytes = content
    }
    return String(decoding: bytes ?? [], as: UTF8.self)
  }

  /// Reads a text file; `nil` if that fails.
  static func contents(ofFile path: String) -> String? {
    FileManager.default.contents(atPath: path).map { String(decoding: $0, as: UTF8.self) }
  }

  /// Puts what was read back in the place of standard input.
  func restore() {
    guard let bytes, let file = tmpfile() else { return }
    let descriptor = fileno(file)
    StandardStream(descriptor: descriptor).bytes(bytes)
    lseek(descriptor, 0, SEEK_SET)
    dup2(descriptor, STDIN_FILENO)
  }
}
