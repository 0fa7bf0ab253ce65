import Router
import Testing

@testable import RouterFrontEnds
@testable import routerctl

struct FrontEndsTests {
  @Test func `selects a front end by the link's name or the first argument`() {
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

  @Test func `uses each link name once`() {
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
  func `splits another program's text into title and message`(text: String, title: String, message: String?) throws {
    var request = PresentationRequest(kind: .alert)
    request.setText(text, title: "Question")
    #expect(request.title == title)
    #expect(request.message == message)
    _ = try PresentationRequest(json: request.json)
  }

  @Test func `truncates text to the limits of a request`() throws {
    var request = PresentationRequest(kind: .alert)
    request.setText(String(repeating: "ä", count: 600) + "\nend", title: "Question")
    #expect(request.title?.utf8.count == 1023)
    #expect(request.message?.hasSuffix("ä\nend") == true)
    request.setText(String(repeating: "€", count: 100_000), title: "Question")
    _ = try PresentationRequest(json: request.json)
  }

  @Test func `quotes a shell word if necessary`() {
    #expect("/a/b-c_1.2+".shellQuoted == "/a/b-c_1.2+")
    #expect("/a b'c".shellQuoted == #"'/a b'\''c'"#)
    #expect("/ä".shellQuoted == "'/ä'")
    #expect("".shellQuoted == "''")
  }

  private static let hostKey = """
    The authenticity of host 'h (::1)' can't be established.
    ED25519 key fingerprint is SHA256:y.
    Are you sure you want to continue connecting (yes/no/[fingerprint])? 
    """

  @Test(
    arguments: [
      ("Allow use of key k?", "confirm", .confirm("Allow use of key k?")),
      ("Confirm user presence", "none", .notice("Confirm user presence")),
      (Self.hostKey, nil, .hostKey(Self.hostKey)),
      ("Please type 'yes', 'no' or the fingerprint: ", nil, .hostKey("Please type 'yes', 'no' or the fingerprint: ")),
      ("Accept updated hostkeys? (yes/no): ", nil, .hostKey("Accept updated hostkeys? (yes/no): ")),
      ("Username for 'h': ", nil, .line("Username for 'h': ", AskedAnswer(to: "Username for 'h': "))),
      // A passphrase must not go into the form for a host key, which shows what is typed.
      (
        "Enter passphrase for (yes/no): ", nil,
        .line("Enter passphrase for (yes/no): ", AskedAnswer(to: "Enter passphrase for"))
      ),
    ] as [(String, String?, Askpass.Question)])
  func `recognizes the kind of question from its text`(text: String, hint: String?, question: Askpass.Question) throws {
    let found = Askpass.Question(text, hint: hint)
    #expect(found == question)
    let request = try PresentationRequest(json: found.request.json)
    #expect(request.kind == .alert || request.sensitive)
  }

  @Test func `parses git's attributes up to an empty line`() {
    let text = "protocol=https\nhost=h\npath=a=b\nwwwauth[]=Negotiate\nwwwauth[]=Basic x=1, ReAlm=\"R\"\n\nhost=other\n"
    let credential = GitCredential.Credential(text)
    #expect(credential.address == "https://h/a=b")
    #expect(credential.realm == "R")
    #expect(GitCredential.Credential("wwwauth[]=Basic realm=\"R\"\nwwwauth[]=\n").realm == nil)
    let windows = GitCredential.Credential(text.replacing("\n", with: "\r\n"))
    #expect(windows.address == "https://h/a=b" && windows.realm == "R")
    // A name that is not UTF-8 is git's own, and goes back as it came.
    let latin = GitCredential.Credential(String(keeping: Array("protocol=https\nhost=h\nusername=".utf8) + [0x61, 0xE9, 0x0A]))
    #expect(latin.values["username"]?.keptBytes == [0x61, 0xE9])
    #expect(latin.request(wasRefused: false)?.message?.contains(#"User: a\xe9"#) == true)
    #expect(GitCredential.Credential("protocol=https\npassword=x\n").request(wasRefused: false) == nil)
  }
}
