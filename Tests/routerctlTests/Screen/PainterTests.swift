import Router
import RouterTesting
import TestSupport
import Testing

@testable import routerctl

struct PainterTests {
  @Test func `paints any sequence of frames correctly without touching the lines above`() {
    let seed = UInt64.random(in: 0...(.max))
    var numbers = SplitMix64(seed: seed)
    for _ in 0..<200 {
      let screen = TestScreen()
      screen.write("before\n")
      var painter = Painter()
      for _ in 0..<10 {
        let lines = (0..<Int.random(in: 1...6, using: &numbers)).map { _ in
          String(repeating: "ab|".randomElement(using: &numbers)!, count: Int.random(in: 1...5, using: &numbers))
        }
        let row = Int.random(in: 0..<lines.count, using: &numbers)
        let hasCursor = Bool.random(using: &numbers)
        let cursor = hasCursor ? Frame.Cursor(row: row, prefix: String(lines[row].prefix(2))) : nil
        screen.write(painter.paint(Frame(lines: lines, cursor: cursor)))
        #expect(screen.lines == ["before"] + lines, "seed \(seed)")
        #expect(screen.isCursorSeen == hasCursor, "seed \(seed)")
        if let cursor { #expect(screen.cursor == (row + 1, cursor.prefix.count), "seed \(seed)") }
      }
      screen.write(painter.erase() + "after\n")
      #expect(screen.lines == ["before", "after"], "seed \(seed)")
      #expect(screen.isCursorSeen && screen.unknown.isEmpty, "seed \(seed)")
    }
  }

  @Test func `does not rewrite unchanged lines`() {
    var painter = Painter()
    _ = painter.paint(Frame(lines: ["one", "two"]))
    let text = painter.paint(Frame(lines: ["one", "2"]))
    #expect(!text.contains("one"))
    #expect(text.contains("2"))
  }

  @Test func `leaves the last frame on the screen`() {
    let screen = TestScreen()
    var painter = Painter()
    screen.write(painter.paint(Frame(lines: ["one", "two", "three"], cursor: Frame.Cursor(row: 0, prefix: "o"))))
    screen.write(painter.leave() + "shell")
    #expect(screen.lines == ["one", "two", "three", "shell"])
  }
}
