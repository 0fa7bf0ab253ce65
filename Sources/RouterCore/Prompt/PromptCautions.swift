/// The cautions of a prompt: risky words in its texts, and unusual facts about the requester.
///
/// A remembered answer is not used for a request with more cautions than the answered prompt had.
struct PromptCautions: Sendable, Hashable {
  /// The cautions about the act.
  let ofAct: [String]
  /// The cautions about the attachments and the requester.
  let others: Set<String>

  init(_ request: PresentationRequest, by requester: Presentation.Requester) {
    ofAct = request.act?.cautions ?? []
    let texts = request.attachmentsBesideAct.flatMap { CommandRisk.Marks($0, directory: requester.process.directory).cautions }
    others = Set(texts + PromptDescription.oddities(requester, userName: nil, viewer: nil))
  }
}

extension CommandRisk {
  /// The risks marked in an attachment.
  struct Marks: Sendable {
    let findings: [Finding]
    /// The descriptions, such as `rm -rf (deletes without asking)`.
    let cautions: [String]

    /// - Parameter directory: The directory outside which paths in a command are marked.
    init(_ attachment: PresentationRequest.Attachment, directory: String?) {
      let text = attachment.text
      findings = attachment.kind == .command ? CommandRisk.findings(in: text, directory: directory) : []
      // A carriage return at the end of a line is marked only in a command.
      let lines = attachment.kind == .command ? text : (text + "\n").withUnixLineEnds
      let isHidden = lines.unicodeScalars.contains { $0 != "\t" && $0 != "\n" && !$0.isPlain }
      let bytes = findings.isEmpty ? [] : Array(text.utf8)
      var parts = isHidden ? ["hidden characters"] : []
      for finding in findings {
        let words = String(decoding: bytes[finding.range], as: UTF8.self)
        let part = "\(words.count > 40 ? words.prefix(39) + "…" : words[...]) (\(finding.why))"
        if !parts.contains(part) { parts.append(part) }
      }
      cautions = parts
    }
  }
}

extension PresentationRequest {
  /// The attachments that the prompt shows, except the act's object, which the act shows itself.
  var attachmentsBesideAct: [Attachment] {
    guard let object = act?.object else { return attachments }
    return attachments.filter { $0.kind != .command || !$0.text.isSame(as: object) }
  }
}
