import FoundationEssentials
package import RouterCore

extension PresentationID {
  /// A numbered id. A higher number means a later request.
  package init(number: Int) {
    func byte(_ index: Int) -> UInt8 { UInt8(truncatingIfNeeded: number >> (8 * index)) }
    self.init(uuid: UUID(uuid: (0, 0, 0, 0, 0, 0, 0x70, 0, 0x80, 0, 0, 0, byte(3), byte(2), byte(1), byte(0))))
  }

  /// The id for a one-letter ASCII name.
  package init(name: Character) {
    self.init(number: Int(name.unicodeScalars.first!.value))
  }

  package var name: Character { Character(Unicode.Scalar(uuid.uuid.15)) }
}
