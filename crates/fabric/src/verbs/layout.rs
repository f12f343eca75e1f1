//! Our `repr(C)` types against the system's header: a C program prints every offset, size and constant.

use std::{mem::offset_of, path::Path, process::Command};

use super::sys::*;

macro_rules! sizes {
    ($($c:literal = $rust:ty),* $(,)?) => { vec![$((format!("sizeof(struct {})", $c), size_of::<$rust>() as i64)),*] };
}
macro_rules! offsets {
    ($c:literal, $rust:ty: $($field:ident),* $(,)?) => {
        vec![$((format!("offsetof(struct {}, {})", $c, stringify!($field)), offset_of!($rust, $field) as i64)),*]
    };
}
macro_rules! constants {
    ($($c:literal = $rust:expr),* $(,)?) => { vec![$(($c.to_string(), $rust as i64)),*] };
}

fn ours() -> Vec<(String, i64)> {
    let ops = |field, offset: usize| (format!("offsetof(struct ibv_context_ops, {field})"), offset as i64);
    [
        sizes!(
            "ibv_context_ops" = ContextOps,
            "ibv_send_wr" = SendWr,
            "ibv_recv_wr" = RecvWr,
            "ibv_sge" = Sge,
            "ibv_wc" = Wc,
            "ibv_qp_attr" = QpAttr,
            "ibv_qp_init_attr" = QpInitAttr,
            "ibv_qp_cap" = QpCap,
            "ibv_ah_attr" = AhAttr,
            "ibv_global_route" = GlobalRoute,
            "ibv_mr" = MrHandle,
        ),
        vec![
            ("sizeof(union ibv_gid)".into(), size_of::<RawGid>() as i64),
            ("sizeof(enum ibv_wr_opcode)".into(), 4),
            ops("poll_cq", offset_of!(ContextOps, poll_cq)),
            ops("req_notify_cq", offset_of!(ContextOps, req_notify_cq)),
            ops("post_send", offset_of!(ContextOps, post_send)),
            ops("post_recv", offset_of!(ContextOps, post_recv)),
        ],
        offsets!("ibv_context", ContextHandle: device, ops),
        offsets!("ibv_pd", PdHandle: context),
        offsets!("ibv_cq", CqHandle: context),
        offsets!("ibv_qp", QpHandle: context, qp_num),
        offsets!("ibv_mr", MrHandle: context, pd, addr, length, handle, lkey, rkey),
        offsets!("ibv_comp_channel", CompChannelHandle: context, fd),
        offsets!("ibv_port_attr", PortAttr:
            state, max_mtu, active_mtu, gid_tbl_len, max_msg_sz, lid, active_width, active_speed, phys_state, link_layer),
        offsets!("ibv_global_route", GlobalRoute: dgid, flow_label, sgid_index, hop_limit, traffic_class),
        offsets!("ibv_ah_attr", AhAttr: grh, dlid, sl, src_path_bits, static_rate, is_global, port_num),
        offsets!("ibv_qp_cap", QpCap: max_send_wr, max_recv_wr, max_send_sge, max_recv_sge, max_inline_data),
        offsets!("ibv_qp_init_attr", QpInitAttr: qp_context, send_cq, recv_cq, srq, cap, qp_type, sq_sig_all),
        offsets!("ibv_qp_attr", QpAttr:
            qp_state, path_mtu, rq_psn, sq_psn, dest_qp_num, qp_access_flags, cap, ah_attr, alt_ah_attr, pkey_index,
            max_rd_atomic, max_dest_rd_atomic, min_rnr_timer, port_num, timeout, retry_cnt, rnr_retry, rate_limit),
        offsets!("ibv_sge", Sge: addr, length, lkey),
        offsets!("ibv_send_wr", SendWr: wr_id, next, sg_list, num_sge, opcode, send_flags, imm_data),
        offsets!("ibv_recv_wr", RecvWr: wr_id, next, sg_list, num_sge),
        offsets!("ibv_wc", Wc: wr_id, status, opcode, vendor_err, byte_len, imm_data, qp_num, wc_flags),
        constants!(
            "IBV_QPS_INIT" = QPS_INIT,
            "IBV_QPS_RTR" = QPS_RTR,
            "IBV_QPS_RTS" = QPS_RTS,
            "IBV_QPT_RC" = QPT_RC,
            "IBV_QPT_UC" = QPT_UC,
            "IBV_WR_RDMA_WRITE" = WR_RDMA_WRITE,
            "IBV_WR_SEND" = WR_SEND,
            "IBV_WR_SEND_WITH_IMM" = WR_SEND_WITH_IMM,
            "IBV_SEND_SIGNALED" = SEND_SIGNALED,
            "IBV_SEND_INLINE" = SEND_INLINE,
            "IBV_WC_SUCCESS" = WC_SUCCESS,
            "IBV_WC_WITH_IMM" = WC_WITH_IMM,
            "IBV_WC_RETRY_EXC_ERR" = WC_RETRY_EXC_ERR,
            "IBV_PORT_ACTIVE" = PORT_ACTIVE,
            "IBV_ACCESS_LOCAL_WRITE" = ACCESS_LOCAL_WRITE,
            "IBV_ACCESS_REMOTE_WRITE" = ACCESS_REMOTE_WRITE,
            "IBV_ACCESS_REMOTE_READ" = ACCESS_REMOTE_READ,
            "IBV_QP_STATE" = QP_STATE,
            "IBV_QP_ACCESS_FLAGS" = QP_ACCESS_FLAGS,
            "IBV_QP_PKEY_INDEX" = QP_PKEY_INDEX,
            "IBV_QP_PORT" = QP_PORT,
            "IBV_QP_AV" = QP_AV,
            "IBV_QP_PATH_MTU" = QP_PATH_MTU,
            "IBV_QP_TIMEOUT" = QP_TIMEOUT,
            "IBV_QP_RETRY_CNT" = QP_RETRY_CNT,
            "IBV_QP_RNR_RETRY" = QP_RNR_RETRY,
            "IBV_QP_RQ_PSN" = QP_RQ_PSN,
            "IBV_QP_MAX_QP_RD_ATOMIC" = QP_MAX_QP_RD_ATOMIC,
            "IBV_QP_MIN_RNR_TIMER" = QP_MIN_RNR_TIMER,
            "IBV_QP_SQ_PSN" = QP_SQ_PSN,
            "IBV_QP_MAX_DEST_RD_ATOMIC" = QP_MAX_DEST_RD_ATOMIC,
            "IBV_QP_CAP" = QP_CAP,
            "IBV_QP_DEST_QPN" = QP_DEST_QPN,
        ),
    ]
    .concat()
}

#[test]
fn types_match_the_systems_header() {
    if !Path::new("/usr/include/infiniband/verbs.h").exists() {
        eprintln!("SKIPPED types_match_the_systems_header: no infiniband/verbs.h (Debian: libibverbs-dev)");
        return;
    }
    let ours = ours();
    let dir = std::env::temp_dir().join(format!("tandem-verbs-layout-{}", std::process::id()));
    std::fs::create_dir_all(&dir).unwrap();
    let prints: String =
        ours.iter().map(|(c, _)| format!("  printf(\"%lld\\n\", (long long)({c}));\n")).collect();
    let source = format!(
        "#include <infiniband/verbs.h>\n#include <stddef.h>\n#include <stdio.h>\nint main(void) {{\n{prints}  return 0;\n}}\n"
    );
    std::fs::write(dir.join("layout.c"), source).unwrap();
    let built =
        Command::new("cc").arg("-o").arg(dir.join("layout")).arg(dir.join("layout.c")).output().unwrap();
    assert!(built.status.success(), "{}", String::from_utf8_lossy(&built.stderr));
    let printed = Command::new(dir.join("layout")).output().unwrap();
    std::fs::remove_dir_all(&dir).unwrap();
    let printed = String::from_utf8(printed.stdout).unwrap();
    let theirs: Vec<i64> = printed.lines().map(|line| line.parse().unwrap()).collect();
    assert_eq!(theirs.len(), ours.len());
    let wrong: Vec<_> = ours.iter().zip(&theirs).filter(|((_, our), their)| our != *their).collect();
    assert!(wrong.is_empty(), "ours differ from the header's: {wrong:#?}");
    // Larger on purpose: versions of the library differ in how much they write.
    assert!(size_of::<PortAttr>() >= 64);
}
