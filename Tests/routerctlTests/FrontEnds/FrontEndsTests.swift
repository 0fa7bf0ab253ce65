import Router
import Testing

@testable import routerctl

struct FrontEndsTests {
  @Test func `a link's name or the first argument starts a front end`() {
    for line in [["/x/router-askpass", "--help"], ["routerctl", "askpass", "--help", "x"]] {
      let found = FrontEnds.program(for: line)
      #expect(found?.program == Askpass.self)
      #expect(found?.arguments == Array(line.dropFirst(line[0] == "routerctl" ? 2 : 1)))
    }
    // ArgumentParser prints the help.
    #expect(FrontEnds.program(for: ["routerctl", "askpass", "--help"]) == nil)
    #expect(FrontEnds.program(for: ["routerctl", "confirm", "askpass"]) == nil)
    #expect(FrontEnds.program(for: []) == nil)
  }

  @Test func `a link's name is given once`() {
    let names = FrontEnds.all.flatMap { $0.links }
    #expect(Set(names).count == names.count)
  }

  @Test(
    arguments: [
      ("Password: ", "Password:", nil), ("", "Question", nil), (" \n\t\n", "Question", nil),
      ("Allow use of key?\nKey SHA256:x", "Allow use of key?", "Key SHA256:x"),
      ("\r\n\r\nA\r\n\r\nB\r\n", "A", "\nB\n"),
      ("\u{1B}[2J\u{202E}yes", "\\u{1B}[2J\\u{202E}yes", nil), ("a\tb\u{7}", "a b\\u{7}", nil),
    ] as [(String, String, String?)])
  func `another program's text becomes a title and a message`(text: String, title: String, message: String?) throws {
    var request = PresentationRequest(kind: .alert)
    request.setText(text, title: "Question")
    #expect(request.title == title)
    #expect(request.message == message)
    _ = try PresentationRequest(json: request.json)
  }

  @Test func `a text of any length is cut to what a request may have`() throws {
    var request = PresentationRequest(kind: .alert)
    request.setText(String(repeating: "ä", count: 600) + "\nend", title: "Question")
    #expect(request.title?.utf8.count == 1023)
    #expect(request.message?.hasSuffix("ä\nend") == true)
    request.setText(String(repeating: "€", count: 100_000), title: "Question")
    _ = try PresentationRequest(json: request.json)
  }

  @Test func `a word of a shell is quoted where it must be`() {
    #expect("/a/b-c_1.2+".shellQuoted == "/a/b-c_1.2+")
    #expect("/a b'c".shellQuoted == #"'/a b'\''c'"#)
    #expect("/ä".shellQuoted == "'/ä'")
    #expect("".shellQuoted == "''")
  }
}
