public import OrderedCollections

/// How something is to be shown, apart from what it is: where, how urgently, for how long.
///
/// The actions take them from the environment, so that one line holds for everything inside:
///
/// ```swift
/// try await withEnvironment(\.presentationOptions.surface, "kitchen") { … }
/// try await showAlert(alert, options: PresentationOptions(priority: .high, timeout: .seconds(60)))
/// ```
public struct PresentationOptions: Sendable, Hashable {
  /// The place where it is shown.
  public var surface: String
  /// Which of what waits comes first.
  public var priority: PresentationPriority
  /// What happens if its place is taken.
  public var conflictPolicy: ConflictPolicy
  /// How long from the request until it expires, shown or not.
  public var timeout: Duration?
  /// How long it may wait until it is first shown.
  public var queueTimeout: Duration?
  /// How long it may be shown, not counting the time when nobody was there to show it.
  public var shownTimeout: Duration?
  /// What happens if nobody is there to show it.
  public var noPresenter: NoPresenterPolicy
  /// The presentation of the same requester that it is stacked on.
  public var over: PresentationID?
  /// Whether the answer is for the asker alone and never stored. A secret field implies it.
  public var sensitive: Bool
  /// The program's name by its own word; the executable's name where it has none.
  public var app: String?
  /// The requester's own labels.
  public var metadata: OrderedDictionary<String, String>

  /// The defaults but for what is given.
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
    request.surface = options.surface
    request.priority = options.priority
    request.conflictPolicy = options.conflictPolicy
    request.timeout = options.timeout
    request.queueTimeout = options.queueTimeout
    request.shownTimeout = options.shownTimeout
    request.noPresenter = options.noPresenter
    request.over = options.over
    request.sensitive = sensitive || options.sensitive
    request.app = options.app
    request.metadata = options.metadata
    return request
  }
}
