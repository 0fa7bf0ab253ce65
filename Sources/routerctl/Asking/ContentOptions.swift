import ArgumentParser
import Router
import RouterCommandLine

/// Options for attachments and the format of the message.
struct ContentOptions: PlainArguments {
  @Flag(help: "The message is Markdown.")
  var markdown = false

  @Option(help: ArgumentHelp("Show a command in full; repeatable.", valueName: "text"))
  var command: [String] = []

  @Option(help: ArgumentHelp("Show a unified diff in full; repeatable.", valueName: "file|-"))
  var diff: [String] = []

  mutating func read(_ line: inout PlainOptions) {
    markdown = line.flag("--markdown")
    (command, diff) = (line.values("--command"), line.values("--diff"))
  }

  /// Adds the content to a request. Throws a ``CommandFailure`` that names an unreadable file.
  func add(to request: inout PresentationRequest) throws {
    if markdown { request.messageFormat = .markdown }
    request.attachments = command.map { PresentationRequest.Attachment(.command, $0) }
    for path in diff {
      let file = path == "-" ? InputFile.standardInput : InputFile(path: path)
      request.attachments.append(
        PresentationRequest.Attachment(.diff, String(showing: try file.bytes(for: "--diff"))))
    }
  }
}
