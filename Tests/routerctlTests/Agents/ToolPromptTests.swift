import Foundation
import OrderedCollections
import Router
import Testing

@testable import RouterCore
@testable import RouterFrontEnds
@testable import routerctl

/// The prompt for a tool call.
struct ToolPromptTests {
  private func request(_ call: ToolCall) throws -> PresentationRequest {
    // Validate it like the daemon.
    try PresentationRequest(json: ToolPrompt(call).request(metadata: call.metadata).json)
  }

  private func bash(_ command: String, _ more: [(String, JSONValue)] = []) -> ToolCall {
    ToolCall(tool: "Bash", input: .members([("command", .string(command))] + more), directory: "/home/ada")
  }

  @Test func `a command is shown in full, with its directory and its options, before the agent's words`() throws {
    let request = try request(
      bash("make\nmake install", [("description", "Builds it"), ("dangerouslyDisableSandbox", true)]))
    #expect(request.title == "Run make …?")
    #expect(request.message == "Builds it")
    #expect(
      request.attachments == [
        PresentationRequest.Attachment(.command, "make\nmake install", title: "Command in /home/ada")
      ])
    let blocks = PromptDescription(request).blocks
    #expect(blocks.map(\.isQuoted) == [false, false, true])
    #expect(blocks[1].text == "dangerouslyDisableSandbox=true")
  }

  @Test func `a command is an act, with what else affects it`() throws {
    let plain = try request(bash("git push 'my origin'", [("description", "Pushes"), ("timeout", 5)]))
    #expect(
      plain.act == Act("Bash", object: "git push 'my origin'", arguments: ["git", "push", "my origin"], directory: "/home/ada"))
    #expect(plain.remember?.matches == [.exact, .prefix])
    // The command is shown once, by the act.
    #expect(PromptDescription(plain).blocks.map(\.text) == ["git push 'my origin'", "timeout: 5", "Pushes"])
    let shell = try request(bash("git push && rm x"))
    #expect(shell.act?.object == "git push && rm x" && shell.act?.arguments == nil)
    let outside = try request(bash("make", [("dangerouslyDisableSandbox", true)]))
    #expect(outside.act?.environment == ["dangerouslyDisableSandbox": "true"])
    #expect(try request(bash("make", [("context", .string(String(repeating: "x", count: 4097)))])).act == nil)
  }

  @Test(
    arguments: [
      ("git log -n 3", ["git", "log", "-n", "3"]), ("echo \"a b\" ''", ["echo", "a b", ""]), ("  ls  ", ["ls"]),
      ("cp a~ b", ["cp", "a~", "b"]),
      ("a; b", nil), ("a | b", nil), ("a && b", nil), ("a > b", nil), ("a $x", nil), ("a `b`", nil), ("a \"$x\"", nil),
      ("ls *", nil), ("ls ?", nil),
      ("ls ~", nil), ("a\nb", nil), ("a\\ b", nil), ("X=1 a", nil), ("a 'b", nil), ("if a", nil), ("a {b,c}", nil),
      ("a #b", nil), ("", nil), ("a é", nil),
    ] as [(String, [String]?)])
  func `splits only lists of plain words`(text: String, words: [String]?) { #expect(PlainWords.of(text) == words) }

  static let titles: [(ToolCall, String)] = [
    (call("Bash", ["command": "npm test"]), "Run npm test?"),
    (call("Bash", ["command": "\n  make all\nrm x"]), "Run make all …?"),
    (
      call("Bash", ["command": .string("echo " + String(repeating: "x", count: 100) + " > /etc/passwd")]),
      "Run echo \(String(repeating: "x", count: 31))…\(String(repeating: "x", count: 21)) > /etc/passwd?"
    ),
    (
      call("Write", ["file_path": "/nonexistent/.github/workflows/ci.yml", "content": "x\n"]),
      "Create .github/workflows/ci.yml?"
    ),
    (call("Write", ["file_path": "/elsewhere/ci.yml", "content": "x\n"]), "Create /elsewhere/ci.yml?"),
    (call("mcp__github__merge_pull_request", ["owner": "ada", "pull_number": 42]), "github: merge_pull_request 42?"),
    (call("mcp__a__b", ["x": "one\ntwo\u{202E}"]), "a: b one …?"),
    (call("mcp__a__run", ["command": "ls", "description": "an argument"]), "a: run ls?"),
    (call("WebFetch", ["url": "https://example.org/"]), "WebFetch: https://example.org/"),
    (call("Bash", ["command": "curl https://example.org/"]), "Run curl https://example.org/"),
    (call("Think", [:]), "Think?"),
    (
      call("apply_patch", ["command": "*** Begin Patch\n*** Add File: a\n+x\n*** Delete File: b\n*** End Patch"]),
      "Apply a patch to a and 1 more?"
    ),
  ]

  private static func call(_ tool: String, _ input: JSONValue) -> ToolCall {
    ToolCall(tool: tool, input: input, directory: "/nonexistent")
  }

  @Test(arguments: titles) func `says in its title what would happen`(call: ToolCall, title: String) throws {
    #expect(try request(call).title == title)
  }

  @Test func `denies on Enter`() throws {
    let prompt = PromptDescription(try request(bash("ls")))
    #expect(prompt.buttons.filter(\.isDefault).map(\.id) == [ToolPrompt.deny])
    #expect(prompt.buttons.map(\.label) == ["Allow", "Deny"])
  }

  @Test(arguments: [
    ("rm \u{202E}x", "rm \\u{202E}x"), ("a\u{200B}b", "a\\u{200B}b"), ("a\u{A0}b", "a\\u{A0}b"), ("a\rb", "a\\u{D}b"),
    ("\u{1B}[2J", "\\u{1B}[2J"), ("a\tb", "a→   b"), ("x\u{3164}y", "x\\u{3164}y"), ("a\r\nb", "a\\u{D}\nb"),
    ("\u{E0041}x", "\\u{E0041}x"), ("na\u{EF}ve 日本", "na\u{EF}ve 日本"),
  ])
  func `characters that cannot be seen are marked`(command: String, shown: String) throws {
    let prompt = PromptDescription(try request(bash(command)))
    #expect(prompt.blocks.first?.text == shown)
    #expect(prompt.paragraphs.first == "Bash in /home/ada:\n\(shown)")
  }

  @Test func `keeps text from imitating other parts of the prompt`() throws {
    let request = try request(
      ToolCall(
        tool: "mcp__x__y\nAllowed", input: ["a\nb": "1\nThe agent says:", "description": "an argument"],
        directory: "/x\nFile: /y"))
    #expect(request.title == "x: y … 1 …?")
    #expect(request.message == nil)
    #expect(
      request.attachments.map(\.text) == [
        """
        a\\u{A}b:
          1
          The agent says:
        description: an argument
        Directory: /x\\u{A}File: /y
        """
      ])
  }

  @Test func `counts hidden lines at the top and names them in the allow button`() throws {
    let request = try request(bash((0..<40_000).map { "echo \($0)" }.joined(separator: "\n")))
    let message = request.attachments[0].text
    let shown = request.attachments[1].text.split(separator: "\n").count(where: { $0.hasPrefix("echo ") })
    #expect(request.attachments[0].title == "CAUTION")
    #expect(message.hasPrefix("\(40_000 - shown) more lines are not shown"))
    #expect(request.buttons.map(\.label) == ["Allow without seeing all of it", "Deny"])
    let long = try self.request(bash(String(repeating: "x", count: 300_000) + "; rm -rf ~"))
    let left = long.attachments[1].text.utf8.count(where: { $0 == UInt8(ascii: "x") })
    #expect(long.attachments[0].text.hasPrefix("\(300_000 - left + 10) bytes of a line and 0 more lines"))
  }

  @Test(.timeLimit(.minutes(10)))
  func `escapes a long text of invisible characters in linear time`() throws {
    let request = try request(bash(String(repeating: "\u{202E}\u{200B}", count: 500_000)))
    #expect(request.attachments[0].title == "CAUTION")
  }

  @Test func `shows an edit as a diff of the file`() throws {
    try withTemporaryDirectory { directory in
      let file = directory + "/a.txt"
      try "1\n2\n3\n2\n".write(toFile: file, atomically: true, encoding: .utf8)
      func message(_ tool: String, _ input: [(String, JSONValue)]) throws -> String? {
        let request = try request(ToolCall(tool: tool, input: .members([("file_path", .string(file))] + input)))
        #expect(request.attachments[0].title == file)
        return request.attachments.map(\.text).joined(separator: "\n\n")
      }
      #expect(
        try message("Edit", [("old_string", "2"), ("new_string", "two"), ("replace_all", true)])
          == "@@ -1,4 +1,4 @@\n 1\n-2\n+two\n 3\n-2\n+two\n\nreplace_all: true")
      #expect(
        try message(
          "MultiEdit", [("edits", [["old_string": "1\n", "new_string": ""], ["old_string": "3", "new_string": "x"]])])
          == "@@ -1,4 +1,3 @@\n-1\n 2\n-3\n+x\n 2")
      #expect(try message("Write", [("content", "1\n")]) == "@@ -1,4 +1,1 @@\n 1\n-2\n-3\n-2")
      // Edit ignores "edits", which only MultiEdit reads.
      let decoy = try message(
        "Edit", [("old_string", "3"), ("new_string", "x"), ("edits", [["old_string": "1", "new_string": "one"]])])
      #expect(decoy?.contains("-3\n+x") == true)
      #expect(decoy?.contains("edits: [") == true)
      // Agents see the lines of a file of DOS with LF.
      try "1\r\n2\r\n3\r\n".write(toFile: file, atomically: true, encoding: .utf8)
      let lines = try request(
        ToolCall(tool: "Edit", input: ["file_path": .string(file), "old_string": "1\n2", "new_string": "1\ntwo"]))
      #expect(lines.attachments.map(\.text) == ["@@ -1,3 +1,3 @@\n 1\r\n-2\r\n+two\r\n 3\r"])
      #expect(PromptDescription(lines).blocks.allSatisfy { !$0.isWarning })
      try "1\n2\n3\n2\n".write(toFile: file, atomically: true, encoding: .utf8)
      // The tool would fail; the prompt still shows the intended change.
      #expect(
        try message("Edit", [("old_string", "no"), ("new_string", "yes")])
          == "-no\n\\ No newline at end of file\n+yes\n\\ No newline at end of file\n\n"
          + "The text to replace was not found in the current file, so the lines have no numbers.")
      #expect(
        try message("Edit", [("old_string", "2"), ("new_string", "two")])?
          .contains("The text to replace was found 2 times in the current file, so the lines have no numbers.") == true)
      let missing = try request(
        ToolCall(
          tool: "Edit", input: ["file_path": .string(directory + "/no"), "old_string": "a", "new_string": "b"]))
      #expect(missing.attachments.last?.text.hasSuffix("The file does not exist, so the lines have no numbers.") == true)
      let new = try request(
        ToolCall(tool: "Edit", input: ["file_path": .string(directory + "/no"), "old_string": "", "new_string": "b\n"]))
      #expect(new.title == "Create \(directory)/no?" && missing.title?.hasPrefix("Edit ") == true)
      #expect(new.attachments.map(\.text) == ["@@ -0,0 +1,1 @@\n+b"])
      // Its path is shown once, by the act.
      #expect(new.act?.object == new.attachments[0].title)
      #expect(PromptDescription(new).blocks.map(\.label) == ["Edit", nil])
      #expect(PromptDescription(new).blocks.map(\.text) == ["\(directory)/no", "@@ -0,0 +1,1 @@\n+b"])
      let empty = try request(ToolCall(tool: "Write", input: ["file_path": .string(directory + "/no"), "content": ""]))
      #expect(empty.attachments.map(\.text) == ["File: \(directory)/no\nThe file is empty."])
      let link = directory + "/link"
      try FileManager.default.createSymbolicLink(atPath: link, withDestinationPath: file)
      let linked = try request(ToolCall(tool: "Write", input: ["file_path": .string(link), "content": "1\n2\n3\n2\n"]))
      #expect(linked.title == "Write \(ToolPath(link, in: nil).target ?? "") (+0 −0)?")
      #expect(linked.attachments.last?.text.contains("The path resolves to") == true)
      #expect(linked.attachments.last?.text.hasSuffix("/a.txt.\nNo changes.") == true)
    }
  }

  @Test func `names the target of a new file behind links`() throws {
    try withTemporaryDirectory { directory in
      let project = directory + "/project"
      let files = FileManager.default
      try files.createDirectory(atPath: project + "/sub", withIntermediateDirectories: true)
      try files.createDirectory(atPath: directory + "/home", withIntermediateDirectories: true)
      func link(_ name: String, to target: String) throws {
        try files.createSymbolicLink(atPath: project + "/" + name, withDestinationPath: target)
      }
      try link("docs", to: "../home")
      try link("dangling", to: directory + "/home/.bashrc")
      try link("chain", to: "dangling")
      try link("deep", to: "sub/../docs/new")
      try link("loop", to: "loop")
      try link("e\u{301}", to: "\u{E9}")
      let home = directory + "/home"
      let targets: [(String, String?)] = [
        ("docs/x", home + "/x"), ("docs/a/b/c", home + "/a/b/c"), ("dangling", home + "/.bashrc"), ("chain", home + "/.bashrc"),
        ("deep/er", home + "/new/er"), ("sub/../docs/x", home + "/x"), ("\(project)/docs/x", home + "/x"),
        ("docs/../x", directory + "/x"), ("e\u{301}", project + "/\u{E9}"), ("sub/new/file", nil), ("new", nil),
      ]
      func message(_ path: String, _ tool: String = "Write", _ member: String = "file_path") throws -> String {
        let input: [(String, JSONValue)] = [("content", "x\n"), ("old_string", ""), ("new_string", "x\n")]
        let call = ToolCall(tool: tool, input: .members([(member, .string(path))] + input), directory: project)
        let prompt = try request(call)
        return ([prompt.title ?? ""] + prompt.attachments.map(\.text)).joined(separator: "\n")
      }
      for (path, target) in targets {
        let note = target.map { "The path resolves to \($0.exact)." }
        for text in [try message(path), try message(path, "Edit"), try message(path, "NotebookEdit", "notebook_path")] {
          if let note {
            #expect(text.contains(note), "\(path): \(text)")
          } else {
            #expect(!text.contains("resolves"), "\(path)")
          }
        }
        #expect(try message(path).hasPrefix("Create "), "\(path)")
        let patch = "*** Begin Patch\n*** Add File: \(path)\n+x\n*** End Patch"
        let patched = try request(ToolCall(tool: "apply_patch", input: ["command": .string(patch)], directory: project))
        if let note { #expect(patched.attachments.last?.text.contains("\(path.exact): \(note)") == true) }
      }
      #expect(try message("loop").contains("It is unknown where the path's symbolic links lead."))
    }
  }

  @Test(arguments: [
    ("~/x", "begins with ~"), (" x", "begins or ends with a space"), ("x\n", "begins or ends with a space"),
    ("x\u{FEFF}", "begins or ends with a space"), ("~/x\u{A0}", "begins with ~ and begins or ends with a space"),
    ("a ~ b", nil),
  ])
  func `says that the agent may read a path differently`(path: String, why: String?) throws {
    let request = try request(
      ToolCall(tool: "Write", input: ["file_path": .string(path), "content": "x\n"], directory: "/nonexistent"))
    let note = why.map { "The agent may read this path differently: it \($0)." }
    let text = try #require(request.attachments.last?.text)
    #expect(note.map { text.contains($0) } ?? !text.contains("differently"))
    // Below no directory, if the agent reads it differently.
    #expect(request.act?.object == (why == nil ? "/nonexistent/\(path)" : path))
  }

  @Test func `calls only Codex's tool a patch`() throws {
    let patch = "*** Begin Patch\n*** Add File: x\n+y\n*** End Patch; rm -rf ~"
    let command = try request(bash(patch))
    #expect(command.title == "Run *** Begin Patch …?")
    #expect(command.attachments == [PresentationRequest.Attachment(.command, patch, title: "Command in /home/ada")])
    let applied = try request(ToolCall(tool: "apply_patch", input: ["command": .string(patch)], directory: "/home/ada"))
    #expect(applied.title == "Apply a patch to x?")
    #expect(applied.attachments == [PresentationRequest.Attachment(.diff, patch, title: "Patch in /home/ada")])
  }

  @Test func `does not block on a pipe in place of a file`() throws {
    try withTemporaryDirectory { directory in
      let pipe = directory + "/pipe"
      #expect(mkfifo(pipe, 0o600) == 0)
      let request = try request(ToolCall(tool: "Write", input: ["file_path": .string(pipe), "content": "x\n"]))
      #expect(request.attachments[1].text.contains("a file that cannot be shown: it is not a regular file"))
    }
  }

  @Test func `computes the digest without the agent's description`() {
    let call = bash("ls", [("description", "one")])
    #expect(call.digest == bash("ls", [("description", "two")]).digest)
    #expect(call.digest != bash("ls -a").digest)
    // An argument of another tool with that name is part of the call.
    func run(_ text: String) -> ToolCall {
      ToolCall(tool: "mcp__x__run", input: ["command": "a", "description": .string(text)])
    }
    #expect(run("a").digest != run("b").digest)
  }

  private func withTemporaryDirectory(_ body: (String) throws -> Void) throws {
    let directory = FileManager.default.temporaryDirectory.appending(path: "agents-\(UUID().uuidString.prefix(8))").path
    try FileManager.default.createDirectory(atPath: directory, withIntermediateDirectories: true)
    defer { try? FileManager.default.removeItem(atPath: directory) }
    try body(directory)
  }
}
