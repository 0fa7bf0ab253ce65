import Testing

@testable import RouterCore

/// Who asks, in one line, and what is unusual about it.
struct AskerTests {
  private func requester(
    _ app: String, executable: String? = "/usr/bin/routerctl", directory: String? = "/home/ada/shop",
    _ ancestors: [(String, String?)] = [("bash", "/usr/bin/bash"), ("tmux", "/usr/bin/tmux")], host: String = ""
  ) -> Presentation.Requester {
    var process = ProcessIdentity(uid: 1000, gid: 1000, pid: 9, executable: executable)
    process.directory = directory
    process.host = host
    process.ancestry =
      [ProcessIdentity.Ancestor(pid: 9, started: 1, executable: executable)]
      + ancestors.enumerated().map {
        ProcessIdentity.Ancestor(pid: Int32($0 + 10), started: 1, executable: $1.1, command: $1.0)
      }
    return Presentation.Requester(app: app, process: process)
  }

  @Test func `names the user, the program, its directory and its callers`() {
    let claude = [("node", String?.some("/home/ada/.local/share/claude/versions/2.1.0")), ("bash", "/usr/bin/bash")]
    let cases: [(Presentation.Requester, String)] = [
      (requester("bash"), "ada · bash in ~/shop · tmux"),
      (requester("claude-code", claude), "ada · claude-code in ~/shop · 2.1.0 ← bash"),
      (requester("make", [("make", "/usr/bin/make"), ("bash", "/usr/bin/bash")]), "ada · make in ~/shop · bash"),
      (requester("bank"), "ada · bash in ~/shop · tmux · calls itself “bank”"),
      // Directories of programs are not a name.
      (requester("usr-bin"), "ada · bash in ~/shop · tmux · calls itself “usr-bin”"),
      (requester("x", executable: nil, directory: nil, []), "ada · pid 9 · calls itself “x”"),
      (requester("bash", directory: "/tmp/a · root ← sshd"), "ada · bash in /tmp/a ? root ? sshd · tmux"),
    ]
    for (requester, line) in cases { #expect(PromptDescription.brief(requester, userName: "ada") == line) }
  }

  @Test func `omits the shell in which a program starts another`() {
    func brief(_ ancestors: [(String, String?)], doubt: ProcessIdentity.ExecutableDoubt? = nil) -> String {
      var requester = requester("claude-code", ancestors)
      requester.process.ancestry?[1].runsCommand = true
      requester.process.ancestry?[1].executableDoubt = doubt
      return PromptDescription.brief(requester, userName: "ada")
    }
    let all = [("dash", "/usr/bin/dash"), ("claude", "/opt/claude"), ("bash", "/usr/bin/bash"), ("tmux", "/usr/bin/tmux")]
    #expect(brief(all) == "ada · claude-code in ~/shop · bash ← tmux")
    #expect(
      brief(all, doubt: .otherNamespace)
        == "ada · claude-code in ~/shop · dash (in another namespace) ← claude ← bash ← tmux")
    #expect(brief([all[0]]) == "ada · dash in ~/shop · calls itself “claude-code”")
  }

  @Test func `says what is odd`() {
    func odd(_ requester: Presentation.Requester, viewer: UInt32? = 1000) -> [String] {
      PromptDescription.oddities(requester, userName: "ada", viewer: viewer)
    }
    #expect(odd(requester("bash")) == [])
    #expect(odd(requester("bash"), viewer: 0) == ["another user asks: ada"])
    #expect(odd(requester("bash", host: "web1"), viewer: 0) == ["asked on another host: web1"])
    #expect(odd(requester("make", [("make", nil)])) == ["not all of its programs can be seen"])
    #expect(odd(requester("make", executable: nil, [])) == ["not all of its programs can be seen"])
    // What is so for many prompts is not a caution.
    #expect(odd(requester("bank")) == [])
    // Login programs above the shell are another user's.
    #expect(odd(requester("bash", [("bash", "/usr/bin/bash"), ("sshd", nil)])) == [])
  }

  @Test func `knows sudo and gpg-agent, which hide their files, and says what it cannot verify`() {
    func oddities(_ requester: Presentation.Requester) -> [String] {
      PromptDescription.oddities(requester, userName: "ada", viewer: 1000)
    }
    // The kernel says that it runs as root.
    var sudo = requester("sudo", [("sudo", nil), ("bash", "/usr/bin/bash")])
    sudo.process.ancestry?[1].setUser(0)
    #expect(oddities(sudo) == [])
    #expect(PromptDescription.brief(sudo, userName: "ada") == "ada · sudo in ~/shop · bash")
    // Anything of ada's could call itself so.
    for (app, name) in [("gpg", "gpg-agent"), ("ssh-agent", "ssh-agent")] {
      let agent = requester(app, [(name, nil), ("systemd", "/usr/lib/systemd/systemd")])
      #expect(oddities(agent) == [])
      #expect(PromptDescription.brief(agent, userName: "ada") == "ada · \(app) in ~/shop · systemd · \(name) is unverified")
    }
    for name in ["sudo", "bash-agent", "make"] {
      #expect(oddities(requester("sudo", [(name, nil), ("tmux", "/usr/bin/tmux")])) == ["not all of its programs can be seen"])
    }
  }
}
