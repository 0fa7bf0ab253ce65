public import OrderedCollections

/// A request as sent on the wire and recorded: with button ids and a form schema.
///
/// Its ``options`` are also members of the request: `request.surface`.
@dynamicMemberLookup
public struct PresentationRequest: Sendable, Hashable {
  public var kind: PresentationKind
  /// The title. Required for alerts and confirmation dialogs.
  public var title: String?
  public var message: String?
  public var titleVisibility: PresentationRequest.TitleVisibility?
  /// The buttons of an alert or confirmation dialog, in order. An alert without buttons gets one, `ok`.
  public var buttons: [PresentationRequest.Button]
  /// The name of a sheet or cover, such as `contact`.
  public var sheet: String?
  /// Data for presenters that know the sheet.
  public var payload: JSONValue?
  /// The fields of a sheet. Without a schema, any JSON value is a valid answer.
  public var schema: FormSchema?
  /// Whether the request has an answer. A sheet or cover without one can only be closed.
  public var hasAnswer = true
  /// Options such as the surface, priority and timeouts.
  public var options: PresentationOptions
  /// Whether the request belongs to a flow: as its root, or as a screen if ``PresentationOptions/over`` is set. It stays open
  /// after an answer and may be answered again.
  public var flow: Bool
  /// The address to call when the presentation has ended. The daemon calls it at least once.
  public var onDismiss: PresentationRequest.CallbackAddress?
  /// The process id of the requesting agent: the requester or one of its ancestors. Neither the agent nor its descendants may
  /// answer.
  public var agent: Int32?
  public var messageFormat = MessageFormat.plain
  /// The label of a toggle, recorded by an earlier version. Written back unchanged, so that the log still verifies; has no
  /// effect. New requests with it are rejected.
  package var suppressionToggle: String?
  /// The commands and diffs, shown in full below the message.
  public var attachments: [Attachment] = []
  /// The exact action to approve. The prompt shows it.
  public var act: Act? {
    get { sharedAct?.value }
    set { sharedAct = newValue.map(Shared.init) }
  }
  private var sharedAct: Shared<Act>?
  /// The answers that may be remembered for later requests with an equal or similar ``act``.
  public var remember: Remember? {
    get { sharedRemember?.value }
    set { sharedRemember = newValue.map(Shared.init) }
  }
  private var sharedRemember: Shared<Remember>?
  /// The number of people who must answer; `nil` for one.
  package var require: Requirement? {
    get { sharedRequire?.value }
    set { sharedRequire = newValue.map(Shared.init) }
  }
  private var sharedRequire: Shared<Requirement>?

  public init(
    kind: PresentationKind, title: String? = nil, message: String? = nil, buttons: [PresentationRequest.Button] = [],
    titleVisibility: PresentationRequest.TitleVisibility? = nil, sheet: String? = nil, payload: JSONValue? = nil,
    schema: FormSchema? = nil, app: String? = nil, surface: String = "main",
    priority: PresentationOptions.Priority = .normal, conflictPolicy: PresentationOptions.ConflictPolicy = .enqueue,
    timeout: Duration? = nil,
    queueTimeout: Duration? = nil, shownTimeout: Duration? = nil, noPresenter: PresentationOptions.NoPresenterPolicy = .wait,
    over: PresentationID? = nil, flow: Bool = false, sensitive: Bool = false,
    onDismiss: PresentationRequest.CallbackAddress? = nil, agent: Int32? = nil,
    metadata: OrderedDictionary<String, String> = [:]
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

  /// Accesses an option.
  public subscript<Value>(dynamicMember option: WritableKeyPath<PresentationOptions, Value>) -> Value {
    get { options[keyPath: option] }
    set { options[keyPath: option] = newValue }
  }

  /// The heading for display, for any kind.
  public var heading: String { title ?? schema?.title ?? sheet ?? kind.rawValue }
}

extension PresentationRequest {
  /// One button of an alert or a confirmation dialog.
  public struct Button: Sendable, Hashable {
    /// The id of the button in answers.
    public var id: String
    /// The text on the button.
    public var label: String
    public var role: ButtonRole?
    /// Whether Enter presses the button. At most one button of a request (default: the only one, otherwise the first without a
    /// role, otherwise the cancel button).
    public var isDefault: Bool

    public init(id: String, label: String, role: ButtonRole? = nil, isDefault: Bool = false) {
      self.id = id
      self.label = label
      self.role = role
      self.isDefault = isDefault
    }
  }
}
