public import OrderedCollections

/// Options of a presentation, such as its surface, priority and timeouts.
///
/// The actions read the options from the environment. A call can override individual options:
///
/// ```swift
/// try await withEnvironment(\.presentationOptions.surface, "kitchen") { … }
/// let choice = try await showAlert(alert, options: { $0.priority = .high })
/// ```
public struct PresentationOptions: Sendable, Hashable {
  /// The name of the surface: 1 to 64 letters, digits, `.`, `_` and `-`.
  public var surface: String
  public var priority: PresentationOptions.Priority
  public var conflictPolicy: PresentationOptions.ConflictPolicy
  /// The maximum time from the request to its end, whether shown or not: more than 0, and at most ten years.
  public var timeout: Duration?
  /// The maximum time from the request to its first showing.
  public var queueTimeout: Duration?
  /// The maximum time on screen, excluding time without a presenter.
  public var shownTimeout: Duration?
  public var noPresenter: PresentationOptions.NoPresenterPolicy
  /// The severity, like SwiftUI's `dialogSeverity`.
  public var severity: PresentationOptions.Severity
  /// Whether the person must answer, like SwiftUI's `interactiveDismissDisabled`. The presentation can still expire and be
  /// canceled. Needs buttons or fields.
  public var dismissDisabled: Bool
  /// The presentation of the same requester to stack this one on.
  public var over: PresentationID?
  /// Whether the answer is sent only to the requester and never stored. A secret field implies it.
  public var sensitive: Bool
  /// The app name (default: the calling program or script).
  public var app: String?
  /// Labels chosen by the requester.
  public var metadata: OrderedDictionary<String, String>

  public init(
    surface: String = "main", priority: PresentationOptions.Priority = .normal,
    conflictPolicy: PresentationOptions.ConflictPolicy = .enqueue,
    timeout: Duration? = nil, queueTimeout: Duration? = nil, shownTimeout: Duration? = nil,
    noPresenter: PresentationOptions.NoPresenterPolicy = .wait,
    severity: PresentationOptions.Severity = .standard, dismissDisabled: Bool = false,
    over: PresentationID? = nil, sensitive: Bool = false, app: String? = nil, metadata: OrderedDictionary<String, String> = [:]
  ) {
    self.surface = surface
    self.priority = priority
    self.conflictPolicy = conflictPolicy
    self.timeout = timeout
    self.queueTimeout = queueTimeout
    self.shownTimeout = shownTimeout
    self.noPresenter = noPresenter
    self.severity = severity
    self.dismissDisabled = dismissDisabled
    self.over = over
    self.sensitive = sensitive
    self.app = app
    self.metadata = metadata
  }

  /// Changes options for one call, starting from those of its environment.
  public typealias Update = @Sendable (inout PresentationOptions) -> Void

  /// Returns the options after an update.
  package func updated(by update: Update) -> PresentationOptions {
    var options = self
    update(&options)
    return options
  }
}

extension PresentationRequest {
  /// Returns the request with other options. A sensitive request stays sensitive.
  package func applying(_ options: PresentationOptions) -> PresentationRequest {
    var request = self
    request.options = options
    request.options.sensitive = self.options.sensitive || options.sensitive
    return request
  }
}
