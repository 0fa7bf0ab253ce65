public import OrderedCollections

/// How something is shown: where, how urgently, for how long.
///
/// The actions take them from the environment:
///
/// ```swift
/// try await withEnvironment(\.presentationOptions.surface, "kitchen") { … }
/// try await showAlert(alert, options: PresentationOptions(priority: .high, timeout: .seconds(60)))
/// ```
public struct PresentationOptions: Sendable, Hashable {
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
  /// Whether the answer is for the asker alone and never stored. A secret field implies it.
  public var sensitive: Bool
  /// The program's name in its own words (default: the calling program or script).
  public var app: String?
  /// The requester's own labels.
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
  /// The same request with the options in place of its own. What is sensitive by itself stays so.
  public func applying(_ options: PresentationOptions) -> PresentationRequest {
    var request = self
    request.options = options
    request.options.sensitive = self.options.sensitive || options.sensitive
    return request
  }
}
