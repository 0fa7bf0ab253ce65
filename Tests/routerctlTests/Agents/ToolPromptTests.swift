import Foundation
import Router
import Testing

@testable import routerctl

/// What a person reads of a tool call.
struct ToolPromptTests {
  private func request(_ call: ToolCall) throws -> PresentationRequest {
    // As the daemon checks it.
    try PresentationRequest(json: ToolPrompt(call).request(metadata: call.metadata).json)
  }

  private func bash(_ command: String, _ more: [(String, JSONValue)] = []) -> ToolCall {
    ToolCall(tool: "Bash", input: .members([("command", .string(command))] + more), directory: "/home/ada")
  }

  @Test func `a command is shown with its directory, its options and then the agent's words`() throws {
    let request = try request(
      bash("make\nmake install", [("description", "Builds it"), ("dangerouslyDisableSandbox", true)]))
    #expect(request.title == "Bash: run this command?")
    #expect(
      request.message == """
        Directory: /home/ada
        dangerouslyDisableSandbox: true

          make
          make install

        The agent says:
          Builds it
        """)
  }

  @Test func `Enter denies, whatever is asked`() throws {
    let prompt = PromptDescription(try request(bash("ls")))
    #expect(prompt.buttons.filter(\.isDefault).map(\.id) == [ToolPrompt.deny])
    #expect(prompt.buttons.map(\.label) == ["Allow", "Deny"])
  }

  @Test(arguments: [
    ("rm \u{202E}x", "rm \\u{202E}x"), ("a\u{200B}b", "a\\u{200B}b"), ("a\u{A0}b", "a\\u{A0}b"), ("a\rb", "a\\u{D}b"),
    ("\u{1B}[2J", "\\u{1B}[2J"), ("a\tb", "a→   b"), ("x\u{3164}y", "x\\u{3164}y"), ("a\r\nb", "a\\u{D}\n  b"),
    ("\u{E0041}x", "\\u{E0041}x"), ("na\u{EF}ve 日本", "na\u{EF}ve 日本"),
  ])
  func `characters that cannot be seen are marked`(command: String, shown: String) throws {
    #expect(try request(bash(command)).message == "Directory: /home/ada\n\n  \(shown)")
  }

  @Test func `no text passes for another part of the prompt`() throws {
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

  @Test func `what does not fit is counted at the top, and allowing it says so`() throws {
    let request = try request(bash((0..<20_000).map { "echo \($0)" }.joined(separator: "\n")))
    let message = try #require(request.message)
    let shown = message.split(separator: "\n").count(where: { $0.hasPrefix("  echo ") })
    #expect(message.hasPrefix("CAUTION: \(20_000 - shown) more lines are not shown"))
    #expect(request.buttons.map(\.label) == ["Allow without seeing all of it", "Deny"])
    let long = try self.request(bash(String(repeating: "x", count: 100_000) + "; rm -rf ~"))
    let left = try #require(long.message).count(where: { $0 == "x" })
    #expect(long.message?.hasPrefix("CAUTION: \(100_000 - left + 10) bytes of a line and 0 more lines") == true)
  }

  @Test(.timeLimit(.minutes(20)))
  func `a long text of invisible characters takes time in its length, not in its square`() throws {
    let request = try request(bash(String(repeating: "\u{202E}\u{200B}", count: 500_000)))
    #expect(request.message?.hasPrefix("CAUTION: ") == true)
  }

  @Test func `an edit is shown as what becomes of the file`() throws {
    try withTemporaryDirectory { directory in
      let file = directory + "/a.txt"
      try "1\n2\n3\n2\n".write(toFile: file, atomically: true, encoding: .utf8)
      func message(_ tool: String, _ input: [(String, JSONValue)]) throws -> String? {
        try request(ToolCall(tool: tool, input: .members([("file_path", .string(file))] + input))).message
      }
      #expect(
        try message("Edit", [("old_string", "2"), ("new_string", "two"), ("replace_all", true)])
          == "File: \(file)\nreplace_all: true\n\n@@ -1,4 +1,4 @@\n 1\n-2\n+two\n 3\n-2\n+two")
      #expect(
        try message(
          "MultiEdit", [("edits", [["old_string": "1\n", "new_string": ""], ["old_string": "3", "new_string": "x"]])])
          == "File: \(file)\n\n@@ -1,4 +1,3 @@\n-1\n 2\n-3\n+x\n 2")
      #expect(try message("Write", [("content", "1\n")]) == "File: \(file)\n\n@@ -1,4 +1,1 @@\n 1\n-2\n-3\n-2")
      // What only MultiEdit would read does not stand in for what Edit does.
      let decoy = try message(
        "Edit", [("old_string", "3"), ("new_string", "x"), ("edits", [["old_string": "1", "new_string": "one"]])])
      #expect(decoy?.contains("-3\n+x") == true)
      #expect(decoy?.contains("edits: [") == true)
      // The tool would fail; the person sees what the agent meant.
      #expect(
        try message("Edit", [("old_string", "no"), ("new_string", "yes")])
          == "File: \(file)\nThe text to replace was not found in the file as it is now. Lines have no numbers.\n\n"
          + "-no\n\\ No newline at end of file\n+yes\n\\ No newline at end of file")
      let link = directory + "/link"
      try FileManager.default.createSymbolicLink(atPath: link, withDestinationPath: file)
      let linked = try request(ToolCall(tool: "Write", input: ["file_path": .string(link), "content": "1\n2\n3\n2\n"]))
      #expect(linked.message?.contains("The path leads to") == true)
      #expect(linked.message?.hasSuffix("/a.txt.\n\nNothing changes.") == true)
    }
  }

  @Test func `a pipe in place of a file does not hold up the prompt`() throws {
    try withTemporaryDirectory { directory in
      let pipe = directory + "/pipe"
      #expect(mkfifo(pipe, 0o600) == 0)
      let request = try request(ToolCall(tool: "Write", input: ["file_path": .string(pipe), "content": "x\n"]))
      #expect(request.message?.contains("a file that cannot be shown: it is not a regular file") == true)
    }
  }

  @Test func `the digest says what would run, without the agent's words`() {
    let call = bash("ls", [("description", "one")])
    #expect(call.digest == bash("ls", [("description", "two")]).digest)
    #expect(call.digest != bash("ls -a").digest)
    // An argument that happens to be called so is part of what would run.
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
