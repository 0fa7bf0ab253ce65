import Glibc
import Router
import Testing

@testable import RouterCommandLine
@testable import RouterCore
@testable import RouterFrontEnds
@testable import RouterLog
@testable import RouterSystem
@testable import RouterTerminal
@testable import routerctl

struct AssuanTests {
  @Test(arguments: [
    ("", ""), ("a%20b", "a b"), ("%41%6a", "Aj"), ("100%", "100%"), ("%4", "%4"), ("%zz", "%zz"), ("%C3%A4", "ä"),
    ("%%41", "%A"),
  ])
  func `decodes percent escapes and keeps malformed ones`(text: String, decoded: String) {
    #expect(Assuan.decoded(text) == decoded)
  }

  @Test func `reads lines without terminators, and skips overlong ones`() throws {
    let pipe = try #require(Descriptors.pipe())
    let long = String(repeating: "x", count: 1001)
    let longest = String(repeating: "y", count: 1000)
    // All of it fits into the pipe.
    let text = "NOP\r\n\n\(long)\n\(longest)\n\(long)\(long)\(long)\(long)\(long)\nEND\nno end"
    _ = text.withCString { write(pipe.writeEnd, $0, strlen($0)) }
    close(pipe.writeEnd)
    var reader = Assuan.Reader(pipe.readEnd)
    var lines: [Assuan.Line] = []
    while let line = reader.next() { lines.append(line) }
    close(pipe.readEnd)
    #expect(lines == [.text("NOP"), .text(""), .tooLong, .text(longest), .tooLong, .text("END")])
  }

  @Test func `concatenates secret bytes`() {
    let secret = SecretBytes("a".utf8, [0x62], "".utf8)
    #expect(secret.withBytes { Array($0) } == [0x61, 0x62])
    #expect(SecretBytes().withBytes { $0.isEmpty })
  }
}
