public import OrderedCollections

/// Options of a presentation, such as its surface, priority and timeouts.
///
/// The actions take them from the environment. Those that you pass to a call override the environment's; the others stay:
///
/// ```swift
/// try await withEnvironment(\.presentationOptions.surface, "kitchen") { … }
/// let choice = try await showAlert(alert, options: PresentationOptions(priority: .high, timeout: .seconds(60)))
/// ```
public struct PresentationOptions: Sendable, Hashable {
  /// The name of the surface: 1 to 64 letters, digits, `.`, `_` and `-`.
  public var surface: String { didSet { given.insert(.surface) } }
  public var priority: PresentationOptions.Priority { didSet { given.insert(.priority) } }
  public var conflictPolicy: PresentationOptions.ConflictPolicy { didSet { given.insert(.conflictPolicy) } }
  /// The time from the request until it expires, whether shown or not: more than 0, and at most ten years.
  public var timeout: Duration? { didSet { given.insert(.timeout) } }
  /// The maximum time until it is first shown.
  public var queueTimeout: Duration? { didSet { given.insert(.queueTimeout) } }
  /// The maximum time shown, not counting time without a presenter.
  public var shownTimeout: Duration? { didSet { given.insert(.shownTimeout) } }
  public var noPresenter: PresentationOptions.NoPresenterPolicy { didSet { given.insert(.noPresenter) } }
  /// How serious it is, like SwiftUI's `dialogSeverity`.
  public var severity: PresentationOptions.Severity { didSet { given.insert(.severity) } }
  /// Whether a person must answer and cannot dismiss it, like SwiftUI's `interactiveDismissDisabled`. It can still expire
  /// and be canceled. Needs buttons or fields.
  public var dismissDisabled: Bool { didSet { given.insert(.dismissDisabled) } }
  /// The presentation of the same requester to stack it on.
  public var over: PresentationID? { didSet { given.insert(.over) } }
  /// Whether the answer is sent only to the requester and never stored. A secret field implies it.
  public var sensitive: Bool { didSet { given.insert(.sensitive) } }
  /// The app name (default: the calling program or script).
  public var app: String? { didSet { given.insert(.app) } }
  /// Labels chosen by the requester.
  public var metadata: OrderedDictionary<String, String> { didSet { given.insert(.metadata) } }
  private var given = Given()

  /// Sets the options that you pass. Only these override the environment's; to clear one, set its property to `nil`. Options are
  /// equal if their values are, set or not.
  public init(
    surface: String? = nil, priority: PresentationOptions.Priority? = nil,
    conflictPolicy: PresentationOptions.ConflictPolicy? = nil,
    timeout: Duration? = nil, queueTimeout: Duration? = nil, shownTimeout: Duration? = nil,
    noPresenter: PresentationOptions.NoPresenterPolicy? = nil,
    severity: PresentationOptions.Severity? = nil, dismissDisabled: Bool? = nil,
    over: PresentationID? = nil, sensitive: Bool? = nil, app: String? = nil, metadata: OrderedDictionary<String, String>? = nil
  ) {
    self.surface = surface ?? "main"
    self.priority = priority ?? .normal
    self.conflictPolicy = conflictPolicy ?? .enqueue
    self.timeout = timeout
    self.queueTimeout = queueTimeout
    self.shownTimeout = shownTimeout
    self.noPresenter = noPresenter ?? .wait
    self.severity = severity ?? .standard
    self.dismissDisabled = dismissDisabled ?? false
    self.over = over
    self.sensitive = sensitive ?? false
    self.app = app
    self.metadata = metadata ?? [:]
    if surface != nil { given.insert(.surface) }
    if priority != nil { given.insert(.priority) }
    if conflictPolicy != nil { given.insert(.conflictPolicy) }
    if timeout != nil { given.insert(.timeout) }
    if queueTimeout != nil { given.insert(.queueTimeout) }
    if shownTimeout != nil { given.insert(.shownTimeout) }
    if noPresenter != nil { given.insert(.noPresenter) }
    if severity != nil { given.insert(.severity) }
    if dismissDisabled != nil { given.insert(.dismissDisabled) }
    if over != nil { given.insert(.over) }
    if sensitive != nil { given.insert(.sensitive) }
    if app != nil { given.insert(.app) }
    if metadata != nil { given.insert(.metadata) }
  }

  /// The same options, except for those that `others` sets.
  package func overridden(by others: PresentationOptions?) -> PresentationOptions {
    guard let others else { return self }
    var options = self
    if others.given.contains(.surface) { options.surface = others.surface }
    if others.given.contains(.priority) { options.priority = others.priority }
    if others.given.contains(.conflictPolicy) { options.conflictPolicy = others.conflictPolicy }
    if others.given.contains(.timeout) { options.timeout = others.timeout }
    if others.given.contains(.queueTimeout) { options.queueTimeout = others.queueTimeout }
    if others.given.contains(.shownTimeout) { options.shownTimeout = others.shownTimeout }
    if others.given.contains(.noPresenter) { options.noPresenter = others.noPresenter }
    if others.given.contains(.severity) { options.severity = others.severity }
    if others.given.contains(.dismissDisabled) { options.dismissDisabled = others.dismissDisabled }
    if others.given.contains(.over) { options.over = others.over }
    if others.given.contains(.sensitive) { options.sensitive = others.sensitive }
    if others.given.contains(.app) { options.app = others.app }
    if others.given.contains(.metadata) { options.metadata = others.metadata }
    return options
  }
}

extension PresentationOptions {
  /// The options that somebody has set. All are equal: options are equal if their values are.
  private struct Given: Sendable, Hashable {
    enum Option: UInt16 {
      case surface, priority, conflictPolicy, timeout, queueTimeout, shownTimeout, noPresenter, severity, dismissDisabled
      case over, sensitive, app, metadata
    }

    private var bits: UInt16 = 0

    func contains(_ option: Option) -> Bool { bits & 1 << option.rawValue != 0 }

    mutating func insert(_ option: Option) { bits |= 1 << option.rawValue }

    static func == (left: Given, right: Given) -> Bool { true }

    func hash(into hasher: inout Hasher) {}
  }
}

extension PresentationRequest {
  /// Returns the request with other options. A sensitive request stays sensitive.
  public func applying(_ options: PresentationOptions) -> PresentationRequest {
    var request = self
    request.options = options
    request.options.sensitive = self.options.sensitive || options.sensitive
    return request
  }
}
