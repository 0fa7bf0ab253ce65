import Foundation
import Router
import Testing

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

  @Test func `a command is shown in full, with its directory, its options and the agent's words`() throws {
    let request = try request(
      bash("make\nmake install", [("description", "Builds it"), ("dangerouslyDisableSandbox", true)]))
    #expect(request.title == "Bash: run this command?")
    #expect(
      request.message == """
        Directory: /home/ada
        dangerouslyDisableSandbox: true
        The agent says:
          Builds it
        """)
    #expect(request.attachments == [PresentationAttachment(.command, "make\nmake install")])
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
    #expect(prompt.blocks.last?.text == shown)
    #expect(prompt.paragraphs == ["Directory: /home/ada", "Command:\n\(shown)"])
  }

  @Test func `keeps text from imitating other parts of the prompt`() throws {
    let request = try request(
      ToolCall(
        tool: "mcp__x__y\nAllowed", input: ["a\nb": "1\nThe agent says:", "description": "an argument"],
        directory: "/x\nFile: /y"))
    #expect(request.title == "Use the tool mcp__x__y Allowed?")
    #expect(
      request.message == """
        Directory: /x\\u{A}File: /y

        a\\u{A}b:
          1
          The agent says:
        description: an argument
        """)
  }

  @Test func `counts hidden lines at the top and names them in the allow button`() throws {
    let request = try request(bash((0..<40_000).map { "echo \($0)" }.joined(separator: "\n")))
    let message = try #require(request.message)
    let shown = request.attachments[0].text.split(separator: "\n").count(where: { $0.hasPrefix("echo ") })
    #expect(message.hasPrefix("CAUTION: \(40_000 - shown) more lines are not shown"))
    #expect(request.buttons.map(\.label) == ["Allow without seeing all of it", "Deny"])
    let long = try self.request(bash(String(repeating: "x", count: 300_000) + "; rm -rf ~"))
    let left = long.attachments[0].text.utf8.count(where: { $0 == UInt8(ascii: "x") })
    #expect(long.message?.hasPrefix("CAUTION: \(300_000 - left + 10) bytes of a line and 0 more lines") == true)
  }

  @Test(.timeLimit(.minutes(20)))
  func `escapes a long text of invisible characters in linear time`() throws {
    let request = try request(bash(String(repeating: "\u{202E}\u{200B}", count: 500_000)))
    #expect(request.message?.hasPrefix("CAUTION: ") == true)
  }

  @Test func `shows an edit as a diff of the file`() throws {
    try withTemporaryDirectory { directory in
      let file = directory + "/a.txt"
      try "1\n2\n3\n2\n".write(toFile: file, atomically: true, encoding: .utf8)
      func message(_ tool: String, _ input: [(String, JSONValue)]) throws -> String? {
        let request = try request(ToolCall(tool: tool, input: .members([("file_path", .string(file))] + input)))
        return ([request.message ?? ""] + request.attachments.map(\.text)).joined(separator: "\n\n")
      }
      #expect(
        try message("Edit", [("old_string", "2"), ("new_string", "two"), ("replace_all", true)])
          == "File: \(file)\nreplace_all: true\n\n@@ -1,4 +1,4 @@\n 1\n-2\n+two\n 3\n-2\n+two")
      #expect(
        try message(
          "MultiEdit", [("edits", [["old_string": "1\n", "new_string": ""], ["old_string": "3", "new_string": "x"]])])
          == "File: \(file)\n\n@@ -1,4 +1,3 @@\n-1\n 2\n-3\n+x\n 2")
      #expect(try message("Write", [("content", "1\n")]) == "File: \(file)\n\n@@ -1,4 +1,1 @@\n 1\n-2\n-3\n-2")
      // Edit ignores "edits", which only MultiEdit reads.
      let decoy = try message(
        "Edit", [("old_string", "3"), ("new_string", "x"), ("edits", [["old_string": "1", "new_string": "one"]])])
      #expect(decoy?.contains("-3\n+x") == true)
      #expect(decoy?.contains("edits: [") == true)
      // The tool would fail; the prompt still shows the intended change.
      #expect(
        try message("Edit", [("old_string", "no"), ("new_string", "yes")])
          == "File: \(file)\nThe text to replace was not found in the current file, so the lines have no numbers.\n\n"
          + "-no\n\\ No newline at end of file\n+yes\n\\ No newline at end of file")
      let link = directory + "/link"
      try FileManager.default.createSymbolicLink(atPath: link, withDestinationPath: file)
      let linked = try request(ToolCall(tool: "Write", input: ["file_path": .string(link), "content": "1\n2\n3\n2\n"]))
      #expect(linked.message?.contains("The path resolves to") == true)
      #expect(linked.message?.hasSuffix("/a.txt.\nNo changes.") == true)
    }
  }

  @Test func `does not block on a pipe in place of a file`() throws {
    try withTemporaryDirectory { directory in
      let pipe = directory + "/pipe"
      #expect(mkfifo(pipe, 0o600) == 0)
      let request = try request(ToolCall(tool: "Write", input: ["file_path": .string(pipe), "content": "x\n"]))
      #expect(request.message?.contains("a file that cannot be shown: it is not a regular file") == true)
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
