import Router
import Testing

struct AuditHeadTests {
  private func hash(_ presentation: String?, _ detail: String = "{}") -> [UInt8] {
    var chain = AuditHead()
    chain.append(at: "at", type: "type", presentation: presentation, detail: Array(detail.utf8))
    return chain.hash
  }

  @Test func `a missing presentation hashes differently from any text`() {
    let hashes = [hash(nil), hash(""), hash("="), hash("-"), hash(nil, "\n{}"), hash("", "\n{}"), hash(nil, "=\n{}")]
    #expect(Set(hashes).count == hashes.count)
  }

  @Test func `wraps around after the highest number without trapping`() {
    var chain = AuditHead(seq: .max, hash: [])
    chain.append(at: "", type: "", presentation: nil, detail: [])
    #expect(chain.seq == .min)
  }
}
