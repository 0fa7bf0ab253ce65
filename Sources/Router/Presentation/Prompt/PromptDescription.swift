/// How a presentation reads to a person: its texts, buttons and fields in order, and who asks. The terminal, the page and the
/// adapters all show this. It holds plain text, which each of them escapes.
public struct PromptDescription: Sendable, Hashable {
  /// What the person reads first.
  public var heading: String
  /// Whether the heading is to be seen. A confirmation dialog may hide it; a screen reader says it all the same.
  public var isHeadingVisible: Bool
  /// What follows the heading, a text each.
  public var paragraphs: [String]
  /// A sheet's payload where there are no fields to fill in: it is all there is to see.
  public var payload: JSONValue?
  public var buttons: [Button]
  public var fields: [Field]
  /// Whether any JSON value is an answer: a sheet without a schema.
  public var takesAnyJSON: Bool
  public var closing: Closing
  /// Who asks: the kernel's word first, then the program's own.
  public var asker: [Fact]

  /// A line about whoever asks.
  public struct Fact: Sendable, Hashable {
    /// As in "asked by".
    public var label: String
    public var text: String
    /// Whether it is only what the program says of itself.
    public var isOwnWord: Bool
  }

  /// One button, in the order of the request.
  public struct Button: Sendable, Hashable {
    public var id: String
    public var label: String
    public var role: ButtonRole?
    /// The digit that presses it; `nil` from the tenth button on.
    public var key: String?
    /// Whether Enter presses it.
    public var isDefault: Bool
  }

  /// What it means to close a presentation without an answer.
  public enum Closing: String, Sendable, Hashable, CaseIterable {
    case dismiss
    /// A flow's screen: what it is stacked on is shown again.
    case back
    /// A flow's root: the flow is over.
    case leave

    /// What a button says that does it.
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
  public init(_ presentation: Presentation) {
    self.init(presentation.request, asker: Self.asker(presentation.requester))
  }

  /// Describes a request, with what is known of whoever asks.
  public init(_ request: PresentationRequest, asker: [Fact] = []) {
    heading = request.heading
    let paragraphs = [request.message, request.schema?.description].compactMap(\.self).filter { !$0.isEmpty }
    // A dialog that would show nothing at all shows its heading.
    isHeadingVisible = request.titleVisibility != .hidden || paragraphs.isEmpty
    self.paragraphs = paragraphs
    payload = request.schema == nil ? request.payload : nil
    let enter = Self.defaultButton(of: request.buttons)
    buttons = request.buttons.enumerated().map { index, button in
      Button(
        id: button.id, label: button.label, role: button.role, key: index < 9 ? String(index + 1) : nil,
        isDefault: button.id == enter)
    }
    fields = (request.schema?.properties ?? []).map(Field.init)
    takesAnyJSON = !request.kind.hasButtons && request.schema == nil
    closing = !request.flow ? .dismiss : request.over == nil ? .leave : .back
    self.asker = asker
  }

  /// The button that Enter presses: the only one, else the first without a role, else the cancel button.
  private static func defaultButton(of buttons: [PresentationButton]) -> String? {
    if buttons.count == 1 { return buttons[0].id }
    return (buttons.first { $0.role == nil } ?? buttons.first { $0.role == .cancel })?.id
  }

  private static func asker(_ requester: Requester) -> [Fact] {
    let process = requester.process
    let name = process.userName.map { "\($0) (uid \(process.uid))" } ?? "uid \(process.uid)"
    var facts = [
      Fact(label: "asked by", text: "\(name), pid \(process.pid)", isOwnWord: false),
      Fact(label: "program", text: process.executable ?? "an executable that cannot be seen", isOwnWord: false),
    ]
    if let chain = process.callChain { facts.append(Fact(label: "called by", text: chain, isOwnWord: false)) }
    if let directory = process.directory { facts.append(Fact(label: "directory", text: directory, isOwnWord: false)) }
    if let unit = process.unit { facts.append(Fact(label: "unit", text: unit, isOwnWord: false)) }
    return facts + [Fact(label: "calls itself", text: requester.app, isOwnWord: true)]
  }
}
