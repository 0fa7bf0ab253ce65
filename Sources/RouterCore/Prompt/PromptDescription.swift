/// A presentation as display text: its texts, buttons and fields in order, and the requester. Used by the terminal, the page
/// and the adapters. It is plain text, which each of them must escape.
public struct PromptDescription: Sendable, Hashable {
  /// The heading, which the person reads first.
  public var heading: String
  /// Whether the heading is visible. A confirmation dialog may hide it; screen readers still announce it.
  public var isHeadingVisible: Bool
  /// The blocks below the heading: headings, lists, paragraphs and code. Commands and diffs come first, because the decision is
  /// about them.
  package var blocks: [Block]
  /// The blocks as plain text: Markdown as written, code below its label, and a command's risks after it.
  public var paragraphs: [String]
  /// The payload of a sheet that accepts any JSON, when there is nothing else to show.
  public var payload: JSONValue?
  public var buttons: [Button]
  public var fields: [Field]
  /// Whether any JSON value is a valid answer, as for a sheet without a schema.
  public var takesAnyJSON: Bool
  /// The label of the button that sends the value of a sheet; `nil` with buttons, or without an answer.
  public var submitLabel: String?
  public var closing: Closing
  /// Whether the person must answer: presenters do not offer to close it.
  public var isDismissDisabled: Bool
  public var severity: PresentationOptions.Severity
  /// Facts about the requester: the kernel's facts first, then the program's claims.
  public var asker: [Fact]
  /// The source of quoted text: the requester's app.
  package var speaker = "the program"
  /// The requester in one line; empty without a presentation.
  package var brief = ""
  /// The options for remembering the answer; `nil` if it cannot be remembered.
  package var remembering: Remembering?
  /// Unusual facts about the requester, such as another user.
  package var oddities: [String] = []

  /// A fact about the requester.
  public struct Fact: Sendable, Hashable {
    /// The label, such as "asked by".
    public var label: String
    public var text: String
    /// Whether the fact is only the program's claim.
    public var isOwnWord: Bool
  }

  /// A button. Buttons are in the order of the request.
  public struct Button: Sendable, Hashable {
    public var id: String
    public var label: String
    public var role: ButtonRole?
    /// The digit key that presses it; `nil` after the ninth button.
    public var key: String?
    /// Whether Enter presses it.
    public var isDefault: Bool
  }

  /// The meaning of closing a presentation without an answer.
  public enum Closing: String, Sendable, Hashable, CaseIterable {
    case dismiss
    /// Closes a prompt that has no answer.
    case close
    /// Closes a screen of a flow; the presentation below it is shown again.
    case back
    /// Closes the root of a flow, which ends the flow.
    case leave

    /// The label of the button that closes the presentation.
    public var label: String {
      switch self {
      case .dismiss: "Dismiss"
      case .close: "Close"
      case .back: "Back"
      case .leave: "Leave"
      }
    }
  }
}

extension PromptDescription {
  /// Describes a presentation.
  ///
  /// - Parameters:
  ///   - request: The request, possibly with changed defaults.
  ///   - userName: The name of the requester's user; `nil` to show the number.
  ///   - viewer: The user who sees it; `nil` if unknown.
  package init(_ presentation: Presentation, request: PresentationRequest? = nil, userName: String?, viewer: UInt32? = nil) {
    let (requester, request) = (presentation.requester, request ?? presentation.request)
    var facts = Self.asker(requester, ownName: request.app, userName: userName)
    if let ruling = presentation.ruling {
      facts.insert(Fact(label: "rule", text: ruling.words, isOwnWord: false), at: facts.count { !$0.isOwnWord })
    }
    self.init(request, asker: facts)
    speaker = requester.app
    remembering = Remembering(
      presentation.offer, request.act, userName: userName ?? "uid \(requester.process.uid)")
    brief = Self.brief(requester, userName: userName)
    oddities =
      Self.approvals(of: presentation) + [presentation.offer?.uncovered?.words].compactMap(\.self)
      + Self.oddities(requester, userName: userName, viewer: viewer)
  }

  /// Describes a request, with facts about the requester.
  public init(_ request: PresentationRequest, asker: [Fact] = []) {
    heading = request.heading
    let texts = [request.message, request.schema?.description].map { $0 ?? "" }
    let directory = asker.first { $0.label == "directory" && !$0.isOwnWord }?.text
    var (attachments, plainAttachments): ([Block], [String]) = ([], [])
    if let act = request.act {
      attachments = [Block](act)
      plainAttachments = attachments.map(\.plainText)
    }
    for attachment in request.attachmentsBesideAct {
      var block = Block(attachment, directory: directory)
      // The heading of a diff already names the file. Compares bytes, because equal strings may differ in bytes.
      if attachments.count == 1, attachment.kind == .diff, let file = request.act?.object,
        attachment.title?.isSame(as: file) == true
      {
        block.label = nil
      }
      attachments.append(block)
      plainAttachments.append(block.plainText)
      guard let warning = block.warning else { continue }
      attachments.append(Block(kind: .paragraph, runs: [Run(text: warning, styles: [.risk])]))
      plainAttachments.append(warning)
    }
    var message = request.messageFormat == .markdown ? Markdown.blocks(of: texts[0]) : Self.plain(texts[0])
    if !attachments.isEmpty { for index in message.indices { message[index].isQuoted = true } }
    blocks = attachments + message + Self.plain(texts[1])
    paragraphs = plainAttachments + texts.filter { !$0.isEmpty }
    // A dialog without any other text shows its heading.
    isHeadingVisible = request.titleVisibility != .hidden || paragraphs.isEmpty
    takesAnyJSON = !request.kind.hasButtons && request.schema == nil && request.hasAnswer
    payload = takesAnyJSON ? request.payload : nil
    let enter = Self.defaultButton(of: request)
    buttons = request.buttons.enumerated().map { index, button in
      Button(
        id: button.id, label: button.label, role: button.role, key: index < 9 ? String(index + 1) : nil,
        isDefault: button.id == enter)
    }
    fields = (request.schema?.properties ?? []).map(Field.init)
    submitLabel =
      request.kind.hasButtons || !request.hasAnswer ? nil : takesAnyJSON || !fields.isEmpty ? "Answer" : "Continue"
    closing = !request.hasAnswer ? .close : !request.flow ? .dismiss : request.over == nil ? .leave : .back
    isDismissDisabled = request.dismissDisabled
    severity = request.severity
    self.asker = asker
  }

  private static func plain(_ text: String) -> [Block] {
    text.isEmpty ? [] : [Block(kind: .paragraph, runs: [Run(text: text)])]
  }

  /// The button that Enter presses: the request's choice, otherwise the only button. In a critical prompt, otherwise the cancel
  /// button, which comes first; in others, the first button without a role. With more than nine buttons, only the request's
  /// choice.
  private static func defaultButton(of request: PresentationRequest) -> String? {
    let buttons = request.buttons
    if let chosen = buttons.first(where: \.isDefault) { return chosen.id }
    if buttons.count == 1 { return buttons[0].id }
    if buttons.count > 9 { return nil }
    let plain = buttons.first { $0.role == nil }
    let cancel = buttons.first { $0.role == .cancel }
    return (request.severity == .critical ? cancel ?? plain : plain ?? cancel)?.id
  }

  /// - Parameter ownName: The program's claimed name; `nil` if it gave none.
  private static func asker(_ requester: Presentation.Requester, ownName: String?, userName: String?) -> [Fact] {
    let process = requester.process
    // User ids of another host do not belong to this machine's users.
    let name =
      process.host.isEmpty
      ? userName.map { "\($0) (uid \(process.uid))" } ?? "uid \(process.uid)" : "uid \(process.uid) on \(process.host)"
    var facts = [
      Fact(label: "asked by", text: "\(name), pid \(process.pid)", isOwnWord: false),
      Fact(label: "program", text: process.program ?? "an executable that cannot be seen", isOwnWord: false),
    ]
    if let chain = process.callChain { facts.append(Fact(label: "called by", text: chain, isOwnWord: false)) }
    if let directory = process.directory { facts.append(Fact(label: "directory", text: directory, isOwnWord: false)) }
    if let unit = process.unit { facts.append(Fact(label: "unit", text: unit, isOwnWord: false)) }
    return facts + (ownName.map { [Fact(label: "calls itself", text: $0, isOwnWord: true)] } ?? [])
  }
}
