public import OrderedCollections

/// What is asked, on the wire and in the log: buttons by id, fields as a schema.
public struct PresentationRequest: Sendable, Hashable {
  public var kind: PresentationKind
  /// What the person reads first. Required for alerts and confirmation dialogs.
  public var title: String?
  public var message: String?
  public var titleVisibility: TitleVisibility?
  /// An alert's or a confirmation dialog's buttons, in order. An alert without any gets one, `ok`.
  public var buttons: [PresentationButton]
  /// A sheet's or a cover's name, such as `contact`.
  public var sheet: String?
  /// Whatever a presenter that knows the sheet needs.
  public var payload: JSONValue?
  /// A sheet's fields; without it any JSON value is an answer.
  public var schema: FormSchema?
  /// The program's name by its own word; the executable's name where it has none.
  public var app: String?
  /// The place where it is shown.
  public var surface: String
  public var priority: PresentationPriority
  public var conflictPolicy: ConflictPolicy
  /// How long from the request until it expires, shown or not.
  public var timeout: Duration?
  /// How long it may wait until it is first shown.
  public var queueTimeout: Duration?
  /// How long it may be shown, not counting the time when nobody was there to show it.
  public var shownTimeout: Duration?
  public var noPresenter: NoPresenterPolicy
  /// The presentation of the same requester that it is stacked on.
  public var over: PresentationID?
  /// Whether it is the root (without ``over``) or a screen of a flow: it stays after an answer, and may be answered again.
  public var flow: Bool
  /// Whether the answer is for the asker alone and never stored. A secret field implies it.
  public var sensitive: Bool
  /// Where the requester's program wants to be called when it has ended; the daemon calls it at least once.
  public var onDismiss: CallbackAddress?
  /// The requester's own labels.
  public var metadata: OrderedDictionary<String, String>

  public init(
    kind: PresentationKind, title: String? = nil, message: String? = nil, buttons: [PresentationButton] = [],
    titleVisibility: TitleVisibility? = nil, sheet: String? = nil, payload: JSONValue? = nil,
    schema: FormSchema? = nil, app: String? = nil, surface: String = "main",
    priority: PresentationPriority = .normal, conflictPolicy: ConflictPolicy = .enqueue, timeout: Duration? = nil,
    queueTimeout: Duration? = nil, shownTimeout: Duration? = nil, noPresenter: NoPresenterPolicy = .wait,
    over: PresentationID? = nil, flow: Bool = false, sensitive: Bool = false,
    onDismiss: CallbackAddress? = nil, metadata: OrderedDictionary<String, String> = [:]
  ) {
    self.kind = kind
    self.title = title
    self.message = message
    self.buttons = buttons
    self.titleVisibility = titleVisibility
    self.sheet = sheet
    self.payload = payload
    self.schema = schema
    self.app = app
    self.surface = surface
    self.priority = priority
    self.conflictPolicy = conflictPolicy
    self.timeout = timeout
    self.queueTimeout = queueTimeout
    self.shownTimeout = shownTimeout
    self.noPresenter = noPresenter
    self.over = over
    self.flow = flow
    self.sensitive = sensitive
    self.onDismiss = onDismiss
    self.metadata = metadata
  }

  /// What a person should read as its heading, whatever its kind.
  public var heading: String { title ?? schema?.title ?? sheet ?? kind.rawValue }
}

/// One button of an alert or a confirmation dialog.
public struct PresentationButton: Sendable, Hashable {
  /// What the answer says.
  public var id: String
  /// What the person reads.
  public var label: String
  public var role: ButtonRole?

  public init(id: String, label: String, role: ButtonRole? = nil) {
    self.id = id
    self.label = label
    self.role = role
  }
}
