// Functions that stand in modules of their own: they are meant only where they are imported or named by their path.

verus! {

mod math {
    pub spec fn min(x: int, y: int) -> int { if x <= y { x } else { y } }
    pub spec fn max(x: int, y: int) -> int { if x >= y { x } else { y } }
    pub spec fn max3(x: int, y: int, z: int) -> int { if x < y { max(y, z) } else { max(x, z) } }
    pub spec fn clip(x: int) -> nat { if x < 0 { 0 } else { x as nat } }
    pub spec fn abs(x: int) -> nat { if x < 0 { (-x) as nat } else { x as nat } }
    pub spec fn add(x: int, y: int) -> int { x + y }
    pub spec fn sub(x: int, y: int) -> int { x - y }
    pub spec fn div(x: int, y: int) -> int { x / y }
}

mod arithmetic {
    pub mod power {
        pub spec fn pow(b: int, e: nat) -> int
            decreases e,
        {
            if e == 0 { 1 } else { b * pow(b, (e - 1) as nat) }
        }
    }

    pub mod power2 {
        use super::power::pow;

        pub spec fn pow2(e: nat) -> nat { pow(2, e) as nat }
        pub spec fn is_pow2(n: int) -> bool
            decreases n,
        {
            if n <= 0 { false } else if n == 1 { true } else { n % 2 == 0 && is_pow2(n / 2) }
        }
        pub spec fn is_pow2_exists(n: int) -> bool { exists|e: nat| pow(2, e) == n }
    }

    pub mod logarithm {
        pub spec fn log(base: int, x: int) -> int
            decreases x,
        {
            if x < base || x / base >= x || x / base < 0 { 0 } else { 1 + log(base, x / base) }
        }
    }

    pub mod div_mod {
        #[inline]
        pub spec fn rust_div(a: int, b: int) -> int { if a == 0 { 0 } else if a > 0 { a / b } else { -((-a) / b) } }
        #[inline]
        pub spec fn rust_rem(a: int, b: int) -> int { if a == 0 { 0 } else if a > 0 { a % b } else { -((-a) % b) } }
        pub spec fn is_mod_equivalent(x: int, y: int, m: int) -> bool { x % m == y % m <==> (x - y) % m == 0 }
    }
}

mod bits {
    use crate::arithmetic::power2::pow2;

    pub spec fn low_bits_mask(n: nat) -> nat { (pow2(n) - 1) as nat }
}

mod relations {
    pub spec fn injective<X, Y>(r: spec_fn(X) -> Y) -> bool { forall|a: X, b: X| r(a) == r(b) ==> a == b }
    pub spec fn commutative<T, U>(r: spec_fn(T, T) -> U) -> bool { forall|a: T, b: T| r(a, b) == r(b, a) }
    pub spec fn associative<T>(r: spec_fn(T, T) -> T) -> bool { forall|a: T, b: T, c: T| r(a, r(b, c)) == r(r(a, b), c) }
    pub spec fn reflexive<T>(r: spec_fn(T, T) -> bool) -> bool { forall|a: T| r(a, a) }
    pub spec fn irreflexive<T>(r: spec_fn(T, T) -> bool) -> bool { forall|a: T| !r(a, a) }
    pub spec fn antisymmetric<T>(r: spec_fn(T, T) -> bool) -> bool { forall|a: T, b: T| r(a, b) && r(b, a) ==> a == b }
    pub spec fn asymmetric<T>(r: spec_fn(T, T) -> bool) -> bool { forall|a: T, b: T| r(a, b) ==> !r(b, a) }
    pub spec fn symmetric<T>(r: spec_fn(T, T) -> bool) -> bool { forall|a: T, b: T| r(a, b) <==> r(b, a) }
    pub spec fn connected<T>(r: spec_fn(T, T) -> bool) -> bool { forall|a: T, b: T| a != b ==> r(a, b) || r(b, a) }
    pub spec fn strongly_connected<T>(r: spec_fn(T, T) -> bool) -> bool { forall|a: T, b: T| r(a, b) || r(b, a) }
    pub spec fn transitive<T>(r: spec_fn(T, T) -> bool) -> bool { forall|a: T, b: T, c: T| r(a, b) && r(b, c) ==> r(a, c) }
    pub spec fn total_ordering<T>(r: spec_fn(T, T) -> bool) -> bool {
        reflexive(r) && antisymmetric(r) && transitive(r) && strongly_connected(r)
    }
    pub spec fn strict_total_ordering<T>(r: spec_fn(T, T) -> bool) -> bool {
        irreflexive(r) && antisymmetric(r) && transitive(r) && connected(r)
    }
    pub spec fn pre_ordering<T>(r: spec_fn(T, T) -> bool) -> bool { reflexive(r) && transitive(r) }
    pub spec fn partial_ordering<T>(r: spec_fn(T, T) -> bool) -> bool { reflexive(r) && transitive(r) && antisymmetric(r) }
    pub spec fn equivalence_relation<T>(r: spec_fn(T, T) -> bool) -> bool { reflexive(r) && symmetric(r) && transitive(r) }
    pub spec fn sorted_by<T>(s: Seq<T>, less_than: spec_fn(T, T) -> bool) -> bool {
        forall|i: int, j: int| 0 <= i < j < s.len() ==> less_than(s[i], s[j])
    }
}

mod utf8 {
    pub spec fn is_ascii_chars(s: Seq<char>) -> bool { forall|i: int| 0 <= i < s.len() ==> s[i] as u32 <= 127 }
}

mod string {
    use crate::utf8::is_ascii_chars;

    pub spec fn is_ascii(s: &str) -> bool { is_ascii_chars(s@) }
    pub spec fn string_is_ascii(s: &String) -> bool { is_ascii_chars(s@) }
}

impl u8 {
    pub spec fn wrapping_add(self, y: u8) -> u8 { (if self + y > u8::MAX { self + y - 0x100 } else { self + y }) as u8 }
    pub spec fn wrapping_sub(self, y: u8) -> u8 { (if self - y < 0 { self - y + 0x100 } else { self - y }) as u8 }
    pub spec fn wrapping_mul(self, y: u8) -> u8 { ((self * y) % 0x100) as u8 }
}

impl i8 {
    pub spec fn wrapping_add(self, y: i8) -> i8 {
        (if self + y > i8::MAX { self + y - 0x100 } else if self + y < i8::MIN { self + y + 0x100 } else { self + y }) as i8
    }
    pub spec fn wrapping_sub(self, y: i8) -> i8 {
        (if self - y > i8::MAX { self - y - 0x100 } else if self - y < i8::MIN { self - y + 0x100 } else { self - y }) as i8
    }
    pub spec fn wrapping_mul(self, y: i8) -> i8 {
        (if (self * y) % 0x100 > i8::MAX { (self * y) % 0x100 - 0x100 } else { (self * y) % 0x100 }) as i8
    }
}

impl u16 {
    pub spec fn wrapping_add(self, y: u16) -> u16 { (if self + y > u16::MAX { self + y - 0x10000 } else { self + y }) as u16 }
    pub spec fn wrapping_sub(self, y: u16) -> u16 { (if self - y < 0 { self - y + 0x10000 } else { self - y }) as u16 }
    pub spec fn wrapping_mul(self, y: u16) -> u16 { ((self * y) % 0x10000) as u16 }
}

impl i16 {
    pub spec fn wrapping_add(self, y: i16) -> i16 {
        (if self + y > i16::MAX { self + y - 0x10000 } else if self + y < i16::MIN { self + y + 0x10000 } else { self + y }) as i16
    }
    pub spec fn wrapping_sub(self, y: i16) -> i16 {
        (if self - y > i16::MAX { self - y - 0x10000 } else if self - y < i16::MIN { self - y + 0x10000 } else { self - y }) as i16
    }
    pub spec fn wrapping_mul(self, y: i16) -> i16 {
        (if (self * y) % 0x10000 > i16::MAX { (self * y) % 0x10000 - 0x10000 } else { (self * y) % 0x10000 }) as i16
    }
}

impl u32 {
    pub spec fn wrapping_add(self, y: u32) -> u32 { (if self + y > u32::MAX { self + y - 0x100000000 } else { self + y }) as u32 }
    pub spec fn wrapping_sub(self, y: u32) -> u32 { (if self - y < 0 { self - y + 0x100000000 } else { self - y }) as u32 }
    pub spec fn wrapping_mul(self, y: u32) -> u32 { ((self * y) % 0x100000000) as u32 }
}

impl i32 {
    pub spec fn wrapping_add(self, y: i32) -> i32 {
        (if self + y > i32::MAX { self + y - 0x100000000 } else if self + y < i32::MIN { self + y + 0x100000000 } else { self + y }) as i32
    }
    pub spec fn wrapping_sub(self, y: i32) -> i32 {
        (if self - y > i32::MAX { self - y - 0x100000000 } else if self - y < i32::MIN { self - y + 0x100000000 } else { self - y }) as i32
    }
    pub spec fn wrapping_mul(self, y: i32) -> i32 {
        (if (self * y) % 0x100000000 > i32::MAX { (self * y) % 0x100000000 - 0x100000000 } else { (self * y) % 0x100000000 }) as i32
    }
}

impl u64 {
    pub spec fn wrapping_add(self, y: u64) -> u64 { (if self + y > u64::MAX { self + y - 0x10000000000000000 } else { self + y }) as u64 }
    pub spec fn wrapping_sub(self, y: u64) -> u64 { (if self - y < 0 { self - y + 0x10000000000000000 } else { self - y }) as u64 }
    pub spec fn wrapping_mul(self, y: u64) -> u64 { ((self * y) % 0x10000000000000000) as u64 }
}

impl i64 {
    pub spec fn wrapping_add(self, y: i64) -> i64 {
        (if self + y > i64::MAX { self + y - 0x10000000000000000 } else if self + y < i64::MIN { self + y + 0x10000000000000000 } else { self + y }) as i64
    }
    pub spec fn wrapping_sub(self, y: i64) -> i64 {
        (if self - y > i64::MAX { self - y - 0x10000000000000000 } else if self - y < i64::MIN { self - y + 0x10000000000000000 } else { self - y }) as i64
    }
    pub spec fn wrapping_mul(self, y: i64) -> i64 {
        (if (self * y) % 0x10000000000000000 > i64::MAX { (self * y) % 0x10000000000000000 - 0x10000000000000000 } else { (self * y) % 0x10000000000000000 }) as i64
    }
}

impl u128 {
    pub spec fn wrapping_add(self, y: u128) -> u128 { (if self + y > u128::MAX { self + y - 0x100000000000000000000000000000000 } else { self + y }) as u128 }
    pub spec fn wrapping_sub(self, y: u128) -> u128 { (if self - y < 0 { self - y + 0x100000000000000000000000000000000 } else { self - y }) as u128 }
    pub spec fn wrapping_mul(self, y: u128) -> u128 { ((self * y) % 0x100000000000000000000000000000000) as u128 }
}

impl i128 {
    pub spec fn wrapping_add(self, y: i128) -> i128 {
        (if self + y > i128::MAX { self + y - 0x100000000000000000000000000000000 } else if self + y < i128::MIN { self + y + 0x100000000000000000000000000000000 } else { self + y }) as i128
    }
    pub spec fn wrapping_sub(self, y: i128) -> i128 {
        (if self - y > i128::MAX { self - y - 0x100000000000000000000000000000000 } else if self - y < i128::MIN { self - y + 0x100000000000000000000000000000000 } else { self - y }) as i128
    }
    pub spec fn wrapping_mul(self, y: i128) -> i128 {
        (if (self * y) % 0x100000000000000000000000000000000 > i128::MAX { (self * y) % 0x100000000000000000000000000000000 - 0x100000000000000000000000000000000 } else { (self * y) % 0x100000000000000000000000000000000 }) as i128
    }
}

impl usize {
    pub spec fn wrapping_add(self, y: usize) -> usize { (if self + y > usize::MAX { self + y - (usize::MAX + 1) } else { self + y }) as usize }
    pub spec fn wrapping_sub(self, y: usize) -> usize { (if self - y < 0 { self - y + (usize::MAX + 1) } else { self - y }) as usize }
    pub spec fn wrapping_mul(self, y: usize) -> usize { ((self * y) % (usize::MAX + 1)) as usize }
}

impl isize {
    pub spec fn wrapping_add(self, y: isize) -> isize {
        (if self + y > isize::MAX { self + y - (usize::MAX + 1) } else if self + y < isize::MIN { self + y + (usize::MAX + 1) } else { self + y }) as isize
    }
    pub spec fn wrapping_sub(self, y: isize) -> isize {
        (if self - y > isize::MAX { self - y - (usize::MAX + 1) } else if self - y < isize::MIN { self - y + (usize::MAX + 1) } else { self - y }) as isize
    }
    pub spec fn wrapping_mul(self, y: isize) -> isize {
        (if (self * y) % (usize::MAX + 1) > isize::MAX { (self * y) % (usize::MAX + 1) - (usize::MAX + 1) } else { (self * y) % (usize::MAX + 1) }) as isize
    }
}

}
