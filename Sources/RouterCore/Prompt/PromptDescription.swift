/// A presentation as display text: its texts, buttons and fields in order, and the requester. Used by the terminal, the
/// page and the adapters. It is plain text, which each of them must escape.
public struct PromptDescription: Sendable, Hashable {
  /// What the person reads first.
  public var heading: String
  /// Whether the heading is visible. A confirmation dialog may hide it; screen readers still announce it.
  public var isHeadingVisible: Bool
  /// The blocks below the heading: headings, lists, paragraphs and code.
  package var blocks: [Block]
  /// The same as plain text: Markdown as it was written, code below its label.
  public var paragraphs: [String]
  /// The payload of a sheet without fields, which is all there is to show.
  public var payload: JSONValue?
  public var buttons: [Button]
  /// The label of a toggle to show with the buttons, such as "Don't ask again".
  public var suppressionToggle: String?
  public var fields: [Field]
  /// Whether any JSON value is a valid answer, as for a sheet without a schema.
  public var takesAnyJSON: Bool
  public var closing: Closing
  /// Whether it cannot be closed without an answer, so that presenters do not offer it.
  public var isDismissDisabled: Bool
  public var severity: PresentationOptions.Severity
  /// Facts about the requester: those from the kernel first, then the program's claims.
  public var asker: [Fact]

  /// A fact about the requester.
  public struct Fact: Sendable, Hashable {
    /// The label, such as "asked by".
    public var label: String
    public var text: String
    /// Whether it is only the program's claim.
    public var isOwnWord: Bool
  }

  /// A button, in the order of the request.
  public struct Button: Sendable, Hashable {
    public var id: String
    public var label: String
    public var role: ButtonRole?
    /// The digit key that presses it; `nil` from the tenth button on.
    public var key: String?
    /// Whether Enter presses it.
    public var isDefault: Bool
  }

  /// The meaning of closing a presentation without an answer.
  public enum Closing: String, Sendable, Hashable, CaseIterable {
    case dismiss
    /// Closes a screen of a flow; the presentation below it is shown again.
    case back
    /// Closes the root of a flow, which ends the flow.
    case leave

    /// The label of the button that closes it.
    public var label: String {
      switch self {
      case .dismiss: "Dismiss"
      case .back: "Back"
      case .leave: "Leave"
      }
    }
  }
}

extension PromptDescription {
  /// Describes a presentation.
  ///
  /// - Parameter userName: The name of the requester's user; `nil` to show the number.
  package init(_ presentation: Presentation, userName: String?) {
    self.init(presentation.request, asker: Self.asker(presentation.requester, userName: userName))
  }

  /// Describes a request, with facts about the requester.
  public init(_ request: PresentationRequest, asker: [Fact] = []) {
    heading = request.heading
    let texts = [request.message, request.schema?.description].map { $0 ?? "" }
    let attachments = request.attachments.map(Block.init)
    let message = request.messageFormat == .markdown ? Markdown.blocks(of: texts[0]) : Self.plain(texts[0])
    blocks = message + Self.plain(texts[1]) + attachments
    paragraphs = texts.filter { !$0.isEmpty } + attachments.map { "\($0.label ?? ""):\n\($0.text)" }
    // A dialog without any other text shows its heading.
    isHeadingVisible = request.titleVisibility != .hidden || paragraphs.isEmpty
    payload = request.schema == nil ? request.payload : nil
    let enter = Self.defaultButton(of: request.buttons)
    buttons = request.buttons.enumerated().map { index, button in
      Button(
        id: button.id, label: button.label, role: button.role, key: index < 9 ? String(index + 1) : nil,
        isDefault: button.id == enter)
    }
    suppressionToggle = request.suppressionToggle
    fields = (request.schema?.properties ?? []).map(Field.init)
    takesAnyJSON = !request.kind.hasButtons && request.schema == nil
    closing = !request.flow ? .dismiss : request.over == nil ? .leave : .back
    isDismissDisabled = request.dismissDisabled
    severity = request.severity
    self.asker = asker
  }

  private static func plain(_ text: String) -> [Block] {
    text.isEmpty ? [] : [Block(kind: .paragraph, runs: [Run(text: text)])]
  }

  /// The button that Enter presses: the request's choice, or the only one, or the first without a role, or the cancel button.
  private static func defaultButton(of buttons: [PresentationRequest.Button]) -> String? {
    if let chosen = buttons.first(where: \.isDefault) { return chosen.id }
    if buttons.count == 1 { return buttons[0].id }
    return (buttons.first { $0.role == nil } ?? buttons.first { $0.role == .cancel })?.id
  }

  private static func asker(_ requester: Presentation.Requester, userName: String?) -> [Fact] {
    let process = requester.process
    // Another host's users are not this machine's.
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
    return facts + [Fact(label: "calls itself", text: requester.app, isOwnWord: true)]
  }
}
