import OrderedCollections

@testable import RouterCore

/// The observable state of one surface, of the machine or the model.
struct SurfaceView: Equatable {
  struct Item: Equatable {
    var id: PresentationID
    let isShown: Bool
    let isCovered: Bool
    var generation: Int
    let position: Int
    var deadline: Duration?
    let isAttached: Bool
    let isHeld: Bool
  }

  struct Seat: Equatable {
    let presenter: PresenterID
    let scope: PresenterScope
  }

  /// The items in the order in which they will be shown.
  var items: [Item]
  var stack: [PresentationID]
  var presenters: [Seat]
  var waitingCount: Int

  static let nothing = SurfaceView(items: [], stack: [], presenters: [], waitingCount: 0)
}

extension PresentationSurfaces {
  func view(of surface: String) -> SurfaceView {
    let (open, presenters) = (state.surfaces[surface] ?? OpenPresentations(), seats[surface] ?? [:])
    let positions = open.positions
    var items: [SurfaceView.Item] = []
    for id in open.ordered {
      let entry = open[id]!
      items.append(
        SurfaceView.Item(
          id: id, isShown: entry.isShown, isCovered: entry.isCovered, generation: entry.presentation.generation,
          position: positions[id] ?? 0, deadline: entry.nextDeadline, isAttached: entry.presentation.attached,
          isHeld: entry.heldUntil != nil))
    }
    return SurfaceView(
      items: items, stack: open.stack, presenters: presenters.map { SurfaceView.Seat(presenter: $0, scope: $1.scope) },
      waitingCount: open.waitingCount)
  }
}

extension NaiveModel {
  func view(of surface: String) -> SurfaceView {
    let ordered = ordered(on: surface)
    let items = ordered.map { item in
      SurfaceView.Item(
        id: item.id, isShown: item.isShown, isCovered: item.isShown && !item.isOnTop, generation: item.generation,
        position: position(of: item), deadline: deadline(of: item), isAttached: item.isAttached,
        isHeld: item.heldUntil != nil)
    }
    return SurfaceView(
      items: items, stack: stack(on: surface).map(\.id),
      presenters: presenters(on: surface).map { SurfaceView.Seat(presenter: $0.presenter, scope: $0.identity.scope) },
      waitingCount: ordered.count { !$0.isShown })
  }
}
