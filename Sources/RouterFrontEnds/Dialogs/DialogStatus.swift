import Glibc
import Router

/// A status display of a dialog program: progress, a gauge or an infobox. It asks no question, so it is shown as a line on the
/// terminal, if there is one, instead of a prompt.
struct DialogStatus: Sendable, Hashable {
  enum Kind: Sendable, Hashable {
    /// A message that is shown once and remains.
    case message
    /// Lines of `NN`, or a block of `XXX`, `NN`, text and `XXX`.
    case gauge
    /// Lines of `NN` or `# text`.
    case progress
  }

  var text: String
  var kind: Kind
  var percent = 0
  /// Whether the display ends at 100 percent.
  var closesWhenDone = false
  /// The lines of an unfinished gauge block.
  private var block: [String]?

  init(text: String, kind: Kind, percent: Int = 0, closesWhenDone: Bool = false) {
    self.text = text
    self.kind = kind
    self.percent = percent
    self.closesWhenDone = closesWhenDone
  }

  /// Parses one line of standard input.
  mutating func take(_ line: String) {
    switch kind {
    case .message: break
    case .progress:
      if line.begins(with: "#") {
        text = CEscapes.decode(line.dropFirst().trimmingPrefix(while: \.isWhitespace).description)
      } else if let number = Double(line.prefix { $0.isNumber || $0 == "." }) {
        percent = Int(min(max(number, 0), 100))
      }
    case .gauge:
      guard var lines = block else {
        if line == "XXX" { block = [] } else if let number = Int(line) { percent = number }
        return
      }
      if line == "XXX" {
        if let number = lines.first.flatMap({ Int($0) }) { percent = number }
        text = lines.dropFirst().joined(separator: " ")
        block = nil
      } else {
        lines.append(line)
        block = lines
      }
    }
  }

  var isOver: Bool { kind == .message || (closesWhenDone && percent >= 100) }

  /// The line to show on the terminal.
  var line: String {
    let text = text.replacing("\\n", with: "\n").split(whereSeparator: \.isWhitespace).joined(separator: " ")
      .escapedForTerminal()
    return kind == .message ? text : "\(percent)% \(text)"
  }

  /// Shows the status until it is done or the input ends.
  mutating func run() {
    let terminal = open("/dev/tty", O_WRONLY | O_NOCTTY | O_CLOEXEC)
    defer { close(terminal) }
    let screen = StandardStream(descriptor: terminal)
    var shown = ""
    func show(_ line: String) {
      guard terminal >= 0, line != shown else { return }
      shown = line
      screen.text("\r\u{1B}[K" + line.cut(to: screen.size.columns - 1))
    }
    show(line)
    while !isOver, let next = readLine() {
      take(next)
      show(line)
    }
    if !shown.isEmpty { screen.text("\n") }
  }

  /// Whether there is a terminal, which the real whiptail and dialog require.
  static var hasTerminal: Bool {
    let terminal = open("/dev/tty", O_RDWR | O_NOCTTY | O_CLOEXEC)
    defer { close(terminal) }
    return terminal >= 0
  }
}
