import ArgumentParser
import Router
import Synchronization

/// `ID=LABEL`, or a label that is also the id. Keeps its position, because `--button` and `--destructive` are separate options.
struct ButtonArgument: ExpressibleByArgument, Sendable {
  private static let count = Atomic(0)

  let id: String
  let label: String
  let position: Int

  init?(argument: String) {
    let parts = argument.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false).map(String.init)
    guard let id = parts.first, !id.isEmpty else { return nil }
    self.id = id
    label = parts.count > 1 ? parts[1] : id
    position = Self.count.add(1, ordering: .relaxed).newValue
  }

  func button(_ role: ButtonRole? = nil) -> PresentationButton {
    PresentationButton(id: id, label: label, role: role)
  }
}
