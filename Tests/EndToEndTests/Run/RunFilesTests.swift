import Foundation
import Router
import RouterClient
import RouterTesting
import TestSupport
import Testing

/// Files that change between the question and the start of a command.
/// Promise P48.
@Suite(.timeLimit(.minutes(10)))
struct RunFilesTests {
  private static let script = "#!/bin/sh\necho \"$0 $1\"\n"

  @Test func `runs a sealed copy of a script, by its interpreter`() async throws {
    try await RunScene.run { scene in
      let path = try scene.program("tool", Self.script)
      let process = try scene.start(["./tool", "x y"])
      let shown = try await scene.answer()
      let output = await process.allOutput()
      await process.expectExit(0)
      #expect(output.count == 1 && output[0].hasPrefix("/dev/fd/") && output[0].hasSuffix(" x y"))
      let act = try #require(shown.request.act)
      #expect(act.execution == .sealed)
      #expect(act.files.map(\.path) == [path, URL(filePath: "/bin/sh").resolvingSymlinksInPath().path])

      try scene.program("found", "#!/usr/bin/env cat\nsecond line\n")
      let found = try scene.start(["./found"])
      let asked = try await scene.answer()
      #expect(await found.allOutput() == ["#!/usr/bin/env cat", "second line"])
      #expect(asked.request.act?.files.last?.path.hasSuffix("/cat") == true)
    }
  }

  @Test(arguments: [
    "/usr/bin/nice tool", "/usr/bin/env -S tool x", "/usr/bin/env -S A=1 tool", "/usr/bin/python3 tool",
    "/usr/bin/setsid ./tool",
  ])
  func `refuses a script whose first line may run what was not shown`(line: String) async throws {
    try await RunScene.run { scene in
      try scene.program("tool", "#!/bin/sh\necho evil\n")
      try scene.program("script", "#!\(line)\n")
      let process = try scene.start(["./script"])
      #expect(await process.line(with: "its first line has more than an interpreter and options") != nil)
      await process.expectExit(126)
      #expect(try await scene.daemon.client.presentations().isEmpty)
    }
  }

  @Test func `shows and runs the command of env -S, whatever its name leads to later`() async throws {
    try await RunScene.run { scene in
      try FileManager.default.createDirectory(atPath: scene.files.file("bin"), withIntermediateDirectories: true)
      try FileManager.default.createDirectory(atPath: scene.files.file("first"), withIntermediateDirectories: true)
      try FileManager.default.copyItem(
        at: URL(filePath: "/bin/sh").resolvingSymlinksInPath(), to: URL(filePath: scene.files.file("bin/shell")))
      try scene.program("script", "#!/usr/bin/env -S shell -e\necho \"shown $1\"\n")
      let path = ["PATH": scene.files.file("first") + ":" + scene.files.file("bin") + ":/usr/bin:/bin"]
      let process = try scene.start(["./script", "x"], environment: path)
      let shown = try await scene.answer { _ in try scene.program("first/shell", "#!/bin/sh\necho evil\n") }
      #expect(await process.allOutput() == ["shown x"])
      #expect(shown.request.act?.files.map(\.path) == [scene.files.file("script"), scene.files.file("bin/shell")])
      #expect(shown.request.act?.files.contains(where: \.isReopened) == false)
    }
  }

  @Test func `says which files the command opens again, and what is not checked`() async throws {
    try await RunScene.run { scene in
      try scene.files.write("echo shown\n", to: "script.sh")
      func shown(_ command: [String], input: CInt? = nil) async throws -> (files: [String: Bool], message: String) {
        let process = try scene.start(command, input: input)
        let shown = try await scene.answer("no")
        await process.expectExit(111)
        let files = (shown.request.act?.files ?? []).map { (URL(filePath: $0.path).lastPathComponent, $0.isReopened) }
        return (Dictionary(files) { $1 }, shown.request.message ?? "")
      }
      let named = try await shown(["sh", "script.sh"])
      #expect(named.files["script.sh"] == true && named.files.values.contains(false) && named.message.isEmpty, "\(named)")
      for argument in [
        "x:script.sh", "-xfscript.sh", "file://script.sh", "file://\(scene.files.file("script.sh"))", "script.sh:/x:ro",
        "--mount=a,script.sh", "a=b,script.sh",
      ] {
        let found = try await shown(["echo", argument])
        #expect(found.files["script.sh"] == nil, "\(argument)")
        #expect(found.message.hasPrefix("Not checked, though arguments may name them: "), "\(argument): \(found.message)")
        #expect(found.message.contains("script.sh"), "\(argument)")
      }
      let input = open(scene.files.file("script.sh"), O_RDONLY | O_CLOEXEC)
      defer { close(input) }
      let file = try await shown(["sh"], input: input)
      #expect(file.message == "Not checked: standard input, which is the file \(scene.files.file("script.sh"))")
      let pipe = try ChildPipe()
      #expect(try await shown(["sh"], input: pipe.reading).message == "Not checked: standard input, which is a pipe")
    }
  }

  @Test func `runs the path if asked to, and says so`() async throws {
    try await RunScene.run { scene in
      let path = try scene.program("tool", Self.script)
      let process = try scene.start(["./tool", "x"], options: ["--by-path"])
      let shown = try await scene.answer()
      #expect(await process.allOutput() == ["\(path) x"])
      await process.expectExit(0)
      #expect(shown.request.act?.execution == .path)
      let log = try await scene.daemon.call(.GET, APIPath.presentation(shown.id)).json
      #expect(log["request"]?["act"]?["by"] == "path" && log["ran"]?["status"] == 0)
    }
  }

  @Test(arguments: ["tool", "program"])
  func `runs nothing if the command was replaced`(name: String) async throws {
    try await RunScene.run { scene in
      try scene.program("tool", Self.script)
      try FileManager.default.copyItem(atPath: "/bin/echo", toPath: scene.files.file("program"))
      let process = try scene.start(["./" + name, "x"])
      let shown = try await scene.answer { _ in
        try scene.program("evil", "#!/bin/sh\necho evil\n")
        #expect(rename(scene.files.file("evil"), scene.files.file(name)) == 0)
      }
      try await scene.expectChanged(process, shown, "/\(name) was replaced")
    }
  }

  @Test func `runs nothing if the script was appended to`() async throws {
    try await RunScene.run { scene in
      try scene.program("tool", Self.script)
      let process = try scene.start(["./tool"])
      let shown = try await scene.answer { _ in
        let file = try #require(FileHandle(forWritingAtPath: scene.files.file("tool")))
        try file.seekToEnd()
        try file.write(contentsOf: Data("echo evil\n".utf8))
        try file.close()
      }
      try await scene.expectChanged(process, shown, "/tool was changed")
    }
  }

  @Test func `runs nothing while the script is open for writing`() async throws {
    try await RunScene.run { scene in
      try scene.program("tool", Self.script)
      let process = try scene.start(["./tool"])
      let writer = open(scene.files.file("tool"), O_WRONLY | O_CLOEXEC)
      defer { close(writer) }
      let shown = try await scene.answer()
      try await scene.expectChanged(process, shown, "/tool is open for writing")
    }
  }

  @Test func `runs nothing if the interpreter or a directory was replaced`() async throws {
    try await RunScene.run { scene in
      try FileManager.default.createDirectory(atPath: scene.files.file("bin"), withIntermediateDirectories: true)
      try FileManager.default.createDirectory(atPath: scene.files.file("first"), withIntermediateDirectories: true)
      try FileManager.default.copyItem(
        at: URL(filePath: "/bin/sh").resolvingSymlinksInPath(), to: URL(filePath: scene.files.file("shell")))
      try scene.program("bin/tool", "#!\(scene.files.file("shell"))\necho shown\n")
      let first = try scene.start(["bin/tool"])
      let shown = try await scene.answer { _ in
        try scene.program("evil", "#!/bin/sh\necho evil\n")
        #expect(rename(scene.files.file("evil"), scene.files.file("shell")) == 0)
      }
      try await scene.expectChanged(first, shown, "/shell was replaced")

      try scene.program("bin/tool", Self.script)
      let second = try scene.start(["bin/tool"])
      let asked = try await scene.answer { _ in
        #expect(rename(scene.files.file("bin"), scene.files.file("old")) == 0)
        try scene.program("bin/tool", "#!/bin/sh\necho evil\n")
      }
      try await scene.expectChanged(second, asked, "/bin/tool was replaced")
    }
  }
}
