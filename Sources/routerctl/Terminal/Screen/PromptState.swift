import OrderedCollections
import Router

/// The state of one showing on a terminal. Keys and time are events; ``PromptView`` draws it.
struct PromptState: Sendable {
  /// How long nothing counts after something has come up: a key meant for what was there before.
  static let arming = Duration.milliseconds(250)

  enum Event: Sendable {
    case key(Key)
    /// It has been before the person for a moment.
    case armed
    /// The person comes back to it, and has to read it again.
    case disarmed
    case time(Timestamp)
    case waiting(Int)
    case expires(Timestamp?)
  }

  /// What can have the keys: a field, a button, the answer of a form, the way out.
  enum Stop: Sendable, Hashable {
    case field(Int)
    /// Any JSON, of a sheet without fields.
    case anyJSON
    case button(Int)
    case submit
    case close
  }

  let presentation: Presentation
  let request: PresentationRequest
  let prompt: PromptDescription
  /// What it is stacked on, from the lowest.
  let parents: [String]

  private(set) var isArmed = false
  private(set) var now: Timestamp
  private(set) var waiting: Int
  private(set) var expiry: Timestamp?
  var fields: [FieldState]
  var anyJSON = LineEditor()
  /// The buttons; a long list of them shows what matches what is typed.
  var buttons: ChoiceList
  var focus: Stop?
  /// Why what the person did has not done anything.
  var notice: String?
  /// Whether the person was told that what was typed would be lost.
  var isSure = false
  /// How many lines of the text are above what is to be seen of it, and how many of them fit.
  var scroll = 0

  /// `request` has the earlier answer as its defaults, `typed` the earlier input, `notice` why the last answer did not count.
  init(
    _ presentation: Presentation, request: PresentationRequest? = nil, waiting: Int, now: Timestamp, parents: [String] = [],
    typed: [String: String] = [:], notice: String? = nil
  ) {
    self.presentation = presentation
    self.request = request ?? presentation.request
    prompt = PromptDescription(self.request, asker: PromptDescription(presentation).asker)
    self.parents = parents
    self.waiting = waiting
    self.now = now
    self.notice = notice
    fields = zip(prompt.fields, self.request.schema?.properties ?? []).map { FieldState($0, $1, typed: typed[$0.name]) }
    buttons = ChoiceList(prompt.buttons.map(\.label), selected: prompt.buttons.firstIndex(where: \.isDefault))
    focus = !fields.isEmpty ? .field(0) : prompt.takesAnyJSON ? .anyJSON : buttons.selected.map(Stop.button)
  }

  /// Applies an event, and returns the person's response if it is one.
  mutating func handle(_ event: Event) -> PresenterResponse? {
    switch event {
    case .key(let key):
      // Nobody has read in that time what it would answer.
      guard isArmed else { return nil }
      return press(key)
    case .armed: isArmed = true
    case .disarmed: isArmed = false
    case .time(let now): self.now = now
    case .waiting(let waiting): self.waiting = waiting
    case .expires(let expiry): self.expiry = expiry
    }
    return nil
  }

  /// Everything that can have the keys, in order.
  var stops: [Stop] {
    if !prompt.buttons.isEmpty { return buttons.matches.map(Stop.button) + [.close] }
    return (prompt.takesAnyJSON ? [.anyJSON] : fields.indices.map(Stop.field)) + [.submit, .close]
  }

  /// What is in the fields that nobody else may not see, by name.
  var typed: [String: String] {
    Dictionary(uniqueKeysWithValues: fields.filter { !$0.property.isSecret }.map { ($0.field.name, $0.typed) })
  }
}
