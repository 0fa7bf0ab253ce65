public import OrderedCollections

/// A request on the wire and in the log: buttons by id, fields as a schema.
///
/// Its ``options`` are also members of the request: `request.surface`.
@dynamicMemberLookup
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
  /// How it is shown: where, how urgently, for how long.
  public var options: PresentationOptions
  /// Whether it is the root (without ``PresentationOptions/over``) or a screen of a flow: it stays after an answer, and may be
  /// answered again.
  public var flow: Bool
  /// Where the requester's program wants to be called when it has ended; the daemon calls it at least once.
  public var onDismiss: CallbackAddress?
  /// The process id of the agent that it is asked for: the requester's own, or that of a process above it. Neither that process
  /// nor any that it starts may answer.
  public var agent: Int32?

  public init(
    kind: PresentationKind, title: String? = nil, message: String? = nil, buttons: [PresentationButton] = [],
    titleVisibility: TitleVisibility? = nil, sheet: String? = nil, payload: JSONValue? = nil,
    schema: FormSchema? = nil, app: String? = nil, surface: String = "main",
    priority: PresentationPriority = .normal, conflictPolicy: ConflictPolicy = .enqueue, timeout: Duration? = nil,
    queueTimeout: Duration? = nil, shownTimeout: Duration? = nil, noPresenter: NoPresenterPolicy = .wait,
    over: PresentationID? = nil, flow: Bool = false, sensitive: Bool = false,
    onDismiss: CallbackAddress? = nil, agent: Int32? = nil, metadata: OrderedDictionary<String, String> = [:]
  ) {
    self.kind = kind
    self.title = title
    self.message = message
    self.buttons = buttons
    self.titleVisibility = titleVisibility
    self.sheet = sheet
    self.payload = payload
    self.schema = schema
    options = PresentationOptions(
      surface: surface, priority: priority, conflictPolicy: conflictPolicy, timeout: timeout, queueTimeout: queueTimeout,
      shownTimeout: shownTimeout, noPresenter: noPresenter, over: over, sensitive: sensitive, app: app, metadata: metadata)
    self.flow = flow
    self.onDismiss = onDismiss
    self.agent = agent
  }

  /// One of the options.
  public subscript<Value>(dynamicMember option: WritableKeyPath<PresentationOptions, Value>) -> Value {
    get { options[keyPath: option] }
    set { options[keyPath: option] = newValue }
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
