import Router
import Testing

@testable import RouterFrontEnds
@testable import routerctl

struct PamQuestionTests {
  static let sudo = [
    "PATH=/bin", "PAM_TYPE=auth", "PAM_SERVICE=sudo", "PAM_RUSER=ada", "PAM_USER=ada", "PAM_TTY=/dev/pts/1",
  ]
  static let ancestry = ProcessAncestry([
    .init(pid: 40, uid: 0, name: "routerctl", arguments: words("routerctl")),
    .init(pid: 30, uid: 1000, name: "sudo", arguments: words("sudo", "rm", "-r", "/a b", "x\ny")),
    .init(pid: 20, uid: 1000, name: "zsh", arguments: words("zsh")), .init(pid: 10, uid: 1002, name: "tmux", arguments: nil),
    .init(pid: 5, uid: 0, name: "sshd", arguments: nil),
  ])

  private static func words(_ words: String...) -> [[UInt8]] { words.map { Array($0.utf8) } }

  private func question(_ environment: [String], _ ancestry: ProcessAncestry = ancestry) throws(PamQuestion.Denial)
    -> PamQuestion
  {
    try PamQuestion(environment: environment, ancestry: ancestry, timeout: .seconds(60)) { name in
      ["root": 0, "ada": 1000, "eve": 1001][name]
    }
  }

  @Test func `shows the command, the user and the asking processes`() throws {
    let request = try question(Self.sudo + ["PAM_RHOST=h\u{1B}"]).request
    #expect(request.title == "Allow sudo for ada?")
    #expect(
      request.message == """
        Command: sudo rm -r '/a b' 'x\\u{A}y'
        Service: sudo
        Asked by user: ada
        Authenticates as: ada
        Terminal: /dev/pts/1
        From host: h\\u{1B}
        Processes: sudo (30) ← zsh (20) ← tmux (10) ← sshd (5)
        """)
    #expect(request.app == "sudo-ada")
    #expect(request.timeout == .seconds(60))
    #expect(request.buttons.map(\.id) == ["allow", "deny"])
    #expect(request.buttons.last?.role == .cancel)
    _ = try PresentationRequest(json: request.json)
  }

  @Test(
    arguments: [
      ([], "PAM_TYPE is neither"), (["PAM_TYPE=open_session"], "PAM_TYPE is neither"), (["PAM_TYPE=auth"], "PAM_SERVICE"),
      (["PAM_TYPE=auth", "PAM_SERVICE=su"], "PAM_RUSER"), (["PAM_TYPE=auth", "PAM_SERVICE=su", "PAM_RUSER="], "PAM_RUSER"),
      (["PAM_TYPE=auth", "PAM_SERVICE=su", "PAM_RUSER=nobody-here"], "PAM_RUSER"),
      (["PAM_TYPE=auth", "PAM_SERVICE=su", "PAM_RUSER=root"], "requests by root"),
      (["PAM_RUSER=eve", "PAM_TYPE=auth", "PAM_SERVICE=su", "PAM_RUSER=ada"], "PAM_RUSER is set twice"),
    ] as [([String], String)])
  func `denies a request without an asking user`(environment: [String], reason: String) {
    let denial = #expect(throws: PamQuestion.Denial.self) { try question(environment) }
    #expect(denial?.reason.hasPrefix(reason) == true, "\(denial?.reason ?? "")")
  }

  @Test func `denies a command that cannot be shown in full`() {
    var long = Self.ancestry
    long.processes[1].arguments = Self.words(String(repeating: "x", count: 70_000))
    #expect(throws: PamQuestion.Denial(reason: "the command is too long to be shown in full")) { try question(Self.sudo, long) }
    #expect(throws: PamQuestion.Denial(reason: "the requesting process has exited")) {
      try question(Self.sudo, ProcessAncestry([]))
    }
    // Like polkit's helper, which systemd starts.
    let service = ProcessAncestry((1...3).map { .init(pid: $0, uid: 0, name: "polkit", arguments: nil) })
    let denial = #expect(throws: PamQuestion.Denial.self) { try question(Self.sudo, service) }
    #expect(denial?.reason.hasPrefix("no parent process") == true)
  }

  @Test(arguments: [nil, []] as [[[UInt8]]?])
  func `denies a command that cannot be read`(arguments: [[UInt8]]?) {
    var hidden = Self.ancestry
    hidden.processes[1].arguments = arguments
    #expect(throws: PamQuestion.Denial(reason: "the command cannot be read, or is too long to be shown in full")) {
      try question(Self.sudo, hidden)
    }
    var cut = Self.ancestry
    cut.isWhole = false
    #expect(throws: PamQuestion.Denial(reason: "a parent process cannot be read, so not all requesting users are known")) {
      try question(Self.sudo, cut)
    }
    #expect(throws: PamQuestion.Denial(reason: "PAM_USER does not name a user")) {
      try question(Self.sudo.dropLast(2) + ["PAM_USER=nobody-here"])
    }
  }

  @Test func `shows bytes that are not UTF-8, unlike the same text`() throws {
    var odd = Self.ancestry
    odd.processes[1].arguments = [Array("sudo".utf8), [0x61, 0xFF, 0x27, 0x5C, 0xC3, 0xA9, 0xC3], Array(#"a\xff"#.utf8), []]
    let message = try question(Self.sudo, odd).request.message
    #expect(message?.hasPrefix(#"Command: sudo $'a\xff\'\\é\xc3' 'a\xff' ''"# + "\n") == true, "\(message ?? "")")
  }

  @Test func `believes neither an asking user's daemon nor that of the user who gains`() throws {
    #expect(try question(Self.sudo).parties == [1000, 1002])
    #expect(try question(Self.sudo.dropLast(2) + ["PAM_USER=eve"]).parties == [1000, 1001, 1002])
    #expect(try question(Self.sudo.dropLast(2) + ["PAM_USER=root"]).parties == [1000, 1002])
  }

  @Test func `allows only with another user's approval`() throws {
    let asked = try question(Self.sudo)
    func denial(_ uid: UInt32?, host: String = "") -> String? {
      let resolver = uid.map { Presentation.Responder(process: ProcessIdentity(uid: $0, gid: 0, pid: 1, host: host)) }
      return asked.denial(.answered(.button("allow"), .ended(.answered(.button("allow")), by: resolver)))
    }
    #expect(denial(1001) == nil)
    #expect(denial(0) == nil)
    // The asking user, and the user of an ancestor process.
    #expect(denial(1000) == "the requesting user may not approve it")
    #expect(denial(1002) == "the requesting user may not approve it")
    #expect(denial(nil) != nil)
    #expect(denial(1001, host: "elsewhere") != nil)

    let other = Presentation.Responder(process: ProcessIdentity(uid: 1001, gid: 0, pid: 1))
    for outcome: FrontEndOutcome in [
      .answered(.button("deny"), .ended(.answered(.button("deny")), by: other)),
      .answered(.value("allow"), .ended(.answered(.value("allow")), by: other)),
      .answered(.redacted, .ended(.answered(.redacted), by: other)),
      .declined(.ended(.answered(.button("deny")), by: other)), .dismissed(.ended(.dismissed, by: other)), .expired,
      .withdrawn, .unavailable("no daemon"),
    ] {
      #expect(asked.denial(outcome) != nil)
    }
    var refused = Presentation.ended(.answered(.button("deny")))
    #expect(asked.denial(.declined(refused)) == "a person pressed Deny")
    refused.because = .rule("no-sudo", rules: String(repeating: "0", count: 64))
    #expect(asked.denial(.declined(refused)) == "the daemon's rule no-sudo denies it")
  }
}
