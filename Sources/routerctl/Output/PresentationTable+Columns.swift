import Router
import RouterCommandLine

extension PresentationTable.Column {
  typealias Cells = PresentationCells

  /// Creates a column with text truncated at its end.
  private init(
    _ title: String, usualWidth: Int = 0, maximumWidth: Int = .max, share: Int = 4, isNumber: Bool = false, rank: Int? = nil,
    mayBeConstant: Bool = false, usualValue: String = "-",
    face: @escaping @Sendable (Cells) -> OutputStyle.Face? = { _ in nil }, text: @escaping @Sendable (Cells) -> String
  ) {
    self.init(
      title: title, usualWidth: usualWidth, maximumWidth: maximumWidth, share: share, isNumber: isNumber, rank: rank,
      mayBeConstant: mayBeConstant, usualValue: usualValue
    ) { CellText(text($0).cut(to: $1), face($0)) }
  }

  private static let id = Self("ID", usualWidth: 8, face: { _ in .dim }, text: { $0.id })
  static let app = Self(title: "APP", usualWidth: 12, maximumWidth: 30, mayBeConstant: true) { $0.app(to: $1) }
  private static let what = Self(title: "WHAT") { $0.what(to: $1) }

  private static func user(rank: Int) -> Self {
    Self("USER", usualWidth: 8, maximumWidth: 16, rank: rank, mayBeConstant: true) { $0.user }
  }

  /// The columns of `routerctl log`.
  static let log = [
    Self("ASKED", usualWidth: 19, rank: 4) { $0.asked }, id, app, user(rank: 2),
    Self("OUTCOME", usualWidth: 23, maximumWidth: 24, share: 6, face: { $0.face }, text: { $0.outcome }),
    Self("WAITED", usualWidth: 6, isNumber: true, rank: 1) { $0.waited },
    Self("SHOWN", usualWidth: 6, isNumber: true, rank: 3) { $0.shown },
    Self("BY", usualWidth: 16, maximumWidth: 20, rank: 0, mayBeConstant: true) { $0.by }, what,
  ]

  /// The position in the surface's queue: 1 for the shown prompt, or the next one.
  static let place = Self("#", isNumber: true) { String($0.presentation.position + 1) }

  /// The columns of `routerctl queue`.
  static let queue = [id] + open

  /// The columns of open prompts.
  static let open = [
    Self("ASKED", rank: 4) { $0.presentation.requestedAt.relative(to: $0.now) },
    Self("STATE", rank: 5, face: { $0.presentation.state == .presented ? .bold : nil }, text: { $0.ending }),
    Self("PRIORITY", rank: 0, mayBeConstant: true, usualValue: "normal") { $0.presentation.request.priority.rawValue },
    Self("SURFACE", maximumWidth: 12, rank: 1, mayBeConstant: true, usualValue: "main") { $0.presentation.request.surface },
    user(rank: 2), app, what,
  ]

  /// The columns of ended prompts.
  static let ended = [
    Self("ENDED", rank: 4) { ($0.presentation.resolvedAt ?? $0.presentation.requestedAt).relative(to: $0.now) },
    Self("ANSWER", maximumWidth: 26, share: 6, face: { $0.face }, text: { $0.ending }),
    Self("BY", maximumWidth: 12, rank: 0) { cells in
      // The user is often the only one.
      switch cells.presentation.because {
      case .grant(let id): return "via \(id.short)"
      case .rule(let id, _): return "rule \(id)"
      case .with, nil: break
      }
      return cells.presentation.resolvedBy.map { ($0.presenter ?? cells.users[$0.process]).escapedForTerminal() } ?? ""
    },
    user(rank: 2), app, what,
  ]
}
