public import OrderedCollections

/// Options of a presentation, such as its surface, priority and timeouts.
///
/// Actions read them from the environment:
///
/// ```swift
/// try await withEnvironment(\.presentationOptions.surface, "kitchen") { … }
/// try await showAlert(alert, options: PresentationOptions(priority: .high, timeout: .seconds(60)))
/// ```
public struct PresentationOptions: Sendable, Hashable {
  /// The name of the surface.
  public var surface: String
  public var priority: PresentationPriority
  public var conflictPolicy: ConflictPolicy
  /// The time from the request until it expires, whether shown or not.
  public var timeout: Duration?
  /// The maximum time until it is first shown.
  public var queueTimeout: Duration?
  /// The maximum time shown, not counting time without a presenter.
  public var shownTimeout: Duration?
  public var noPresenter: NoPresenterPolicy
  /// The presentation of the same requester to stack it on.
  public var over: PresentationID?
  /// Whether the answer is sent only to the requester and never stored. A secret field implies it.
  public var sensitive: Bool
  /// The app name (default: the calling program or script).
  public var app: String?
  /// Labels chosen by the requester.
  public var metadata: OrderedDictionary<String, String>

  public init(
    surface: String = "main", priority: PresentationPriority = .normal, conflictPolicy: ConflictPolicy = .enqueue,
    timeout: Duration? = nil, queueTimeout: Duration? = nil, shownTimeout: Duration? = nil,
    noPresenter: NoPresenterPolicy = .wait, over: PresentationID? = nil, sensitive: Bool = false, app: String? = nil,
    metadata: OrderedDictionary<String, String> = [:]
  ) {
    self.surface = surface
    self.priority = priority
    self.conflictPolicy = conflictPolicy
    self.timeout = timeout
    self.queueTimeout = queueTimeout
    self.shownTimeout = shownTimeout
    self.noPresenter = noPresenter
    self.over = over
    self.sensitive = sensitive
    self.app = app
    self.metadata = metadata
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
