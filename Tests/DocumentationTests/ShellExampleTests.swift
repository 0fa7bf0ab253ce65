import Foundation
import Testing

/// Runs the shell lines of the articles, the README and the commands' help, as they are written, in bash and dash. Every command
/// outside of the shell is a stand-in that records its arguments.
/// Promise P87.
struct ShellExampleTests {
  private static let root = URL(filePath: #filePath)
    .deletingLastPathComponent().deletingLastPathComponent().deletingLastPathComponent()

  /// Shell lines that belong together.
  struct Example: Sendable, CustomTestStringConvertible {
    let place: String
    let script: String

    var testDescription: String { place }
  }

  private static func files(_ folder: String, _ suffix: String) throws -> [URL] {
    let folder = root.appending(path: folder)
    return try FileManager.default.subpathsOfDirectory(atPath: folder.path).filter { $0.hasSuffix(suffix) }.sorted()
      .map { folder.appending(path: $0) }
  }

  /// The blocks of a page that are marked as `sh`.
  private static func blocks(of page: String) -> [String] {
    page.components(separatedBy: "```sh\n").dropFirst().compactMap { $0.components(separatedBy: "```").first }
  }

  /// The examples in the help of a source file's commands.
  private static func helpExamples(of source: String) -> [String] {
    source.components(separatedBy: "\n      EXAMPLES\n").dropFirst().map { rest in
      rest.split(separator: "\n", omittingEmptySubsequences: false).prefix { $0.hasPrefix("        ") }
        .map { $0.dropFirst(8).replacing("\\\\", with: "\\") + "\n" }.joined()
    }
  }

  private static let examples: [Example] = {
    do {
      let pages =
        try files("Sources", ".md") + ["README.md", "CONTRIBUTING.md", "Docs/Reliability.md"].map { root.appending(path: $0) }
      let sources = try files("Sources", ".swift")
      return try pages.map { ($0, blocks(of: try String(contentsOf: $0, encoding: .utf8))) }.flatMap(numbered)
        + sources.map { ($0, helpExamples(of: try String(contentsOf: $0, encoding: .utf8))) }.flatMap(numbered)
    } catch {
      return []
    }
  }()

  private static func numbered(_ file: URL, _ scripts: [String]) -> [Example] {
    scripts.enumerated().map { Example(place: "\(file.lastPathComponent) \($0 + 1)", script: $1) }
  }

  @Test func `finds the examples`() {
    #expect(Self.examples.count > 80)
    #expect(Self.examples.contains { $0.script.contains("xargs -d '\\n' rm --\n") })
  }

  /// The commands that run as they are. All others are stand-ins.
  private static let real = ["cat", "date", "mkdir", "seq", "tail", "env", "sort"]
  private static let standIns = [
    "routerctl", "routerd", "apt", "claude", "createdb", "curl", "git", "gpgconf", "grep", "hostname", "install", "journalctl",
    "jq",
    "ls", "mail", "psql", "rm", "sqlite3", "ssh", "sudo", "swift", "systemctl", "test", "timeout", "xargs",
  ]
  private static let scripts = [
    "deploy", "scripts/agents-check", "scripts/build-release", "scripts/captures", "scripts/demo", "scripts/docs",
    "scripts/fuzz", "scripts/lint", "scripts/mutants", "scripts/package", "scripts/recipes", "scripts/sample-texts",
    "scripts/sanitize", "scripts/test", "scripts/test-package", "scripts/test-versions",
  ]

  /// What a script did: its standard error, the commands that it ran, and the environment at its end.
  private struct Trace: Equatable {
    var status: Int32
    var errors: String
    var commands: [String]
    var environment: [String: String]
  }

  private func run(_ script: String, in shell: String) throws -> Trace {
    let files = FileManager.default
    let place = files.temporaryDirectory.appending(path: "shell-\(UUID().uuidString.prefix(8))")
    defer { try? files.removeItem(at: place) }
    let (bin, home, work) = (place.appending(path: "bin"), place.appending(path: "home dir"), place.appending(path: "work"))
    // A reader who follows the examples has these.
    let folders = [
      bin, home.appending(path: ".config/routerd"), work.appending(path: "scripts"), work.appending(path: "mnt/elsewhere"),
    ]
    for folder in folders { try files.createDirectory(at: folder, withIntermediateDirectories: true) }
    try Data("0@0\n".utf8).write(to: work.appending(path: "mnt/elsewhere/router.heads"))
    // Arguments, one in each pair of brackets, in one write. The name is also its output, whose reader may have ended.
    let standIn = """
      #!/bin/sh
      line=${0##*/}; for word; do line="$line [$word]"; done
      printf '%s\\n' "$line" >> "$RECORD"; echo "${0##*/}" 2>/dev/null || :
      """
    for path in Self.standIns.map({ bin.appending(path: $0) }) + Self.scripts.map({ work.appending(path: $0) }) {
      try Data((standIn + "\n").utf8).write(to: path)
      try files.setAttributes([.posixPermissions: 0o755], ofItemAtPath: path.path)
    }
    for name in Self.real {
      try files.createSymbolicLink(atPath: bin.appending(path: name).path, withDestinationPath: "/usr/bin/" + name)
    }
    let record = place.appending(path: "record")
    try Data().write(to: record)

    let (process, pipe) = (Process(), Pipe())
    process.executableURL = URL(filePath: "/bin/" + shell)
    // -u: a variable that is not set is an error.
    process.arguments = ["-u", "-c", script + "\nwait; status=$?; env > \"$RECORD.env\"; exit $status"]
    process.currentDirectoryURL = work
    process.environment = ["PATH": bin.path, "HOME": home.path, "USER": "ada", "RECORD": record.path]
    process.standardInput = FileHandle.nullDevice
    process.standardOutput = FileHandle.nullDevice
    process.standardError = pipe
    // The thread of a test blocks signals, and dash would never hear of the end of a background job.
    var (none, mask) = (sigset_t(), sigset_t())
    sigemptyset(&none)
    pthread_sigmask(SIG_SETMASK, &none, &mask)
    defer { pthread_sigmask(SIG_SETMASK, &mask, nil) }
    try process.run()
    let said = try pipe.fileHandleForReading.readToEnd() ?? Data()
    process.waitUntilExit()
    func text(_ url: URL) throws -> [String] {
      try String(contentsOf: url, encoding: .utf8).replacing(place.path, with: "").split(separator: "\n").map(String.init)
    }
    // A shell that ends at a variable that is not set writes none.
    let variables = ((try? text(record.appendingPathExtension("env"))) ?? []).compactMap { line -> (String, String)? in
      let parts = line.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false).map(String.init)
      return parts.count == 2 && !["_", "SHLVL", "PWD", "OLDPWD"].contains(parts[0]) ? (parts[0], parts[1]) : nil
    }
    // A stand-in's output may be led there.
    let errors = String(decoding: said, as: UTF8.self).split(separator: "\n").filter { !Self.standIns.contains(String($0)) }
    return Trace(
      status: process.terminationStatus, errors: errors.joined(separator: "\n"), commands: try text(record).sorted(),
      environment: Dictionary(variables) { $1 })
  }

  @Test(arguments: examples) func `runs alike in bash and dash, with every variable set`(example: Example) throws {
    // What stands for a text of the reader's, or reads one.
    let script = example.script.replacing("test-package DEB", with: "test-package x.deb").replacing(" /mnt/", with: " mnt/")
      .replacing(/< (request|event\.json)/, with: "< /dev/null")
    let traces = try ["bash", "dash"].map { try run(script, in: $0) }
    for trace in traces {
      #expect(trace.errors == "" && trace.status == 0, "\(trace.errors)")
      #expect(!trace.commands.isEmpty)
      #expect(!trace.commands.contains { $0.contains(" []") }, "\(trace.commands)")
      #expect(!trace.environment.contains { $0.value.isEmpty || $0.value.hasPrefix("~") }, "\(trace.environment)")
    }
    #expect(traces[0] == traces[1])
  }

  @Test func `the article's lines set every askpass variable to the link`() throws {
    let example = try #require(
      Self.examples.first { $0.script.contains("SUDO_ASKPASS") && $0.place.hasPrefix("AskpassAndGit") })
    for shell in ["bash", "dash"] {
      let trace = try run(example.script, in: shell)
      for name in ["SSH_ASKPASS", "SUDO_ASKPASS"] {
        #expect(trace.environment[name] == "/home dir/.local/lib/router/compat/router-askpass")
      }
    }
  }

  @Test func `detects a variable that is empty or not set`() throws {
    for shell in ["bash", "dash"] {
      #expect(try run("export A=1 B=$A", in: shell).errors.contains("A: "))
      #expect(try run("export A=\nls", in: shell).environment["A"] == "")
      #expect(try run("unheard-of x", in: shell).errors.contains("not found"))
    }
  }
}
